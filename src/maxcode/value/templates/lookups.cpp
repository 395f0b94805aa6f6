// A table by name, asked many times, ${how}.
// Input: n, then n words; the first quarter are names, the others are asked for.
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace std;

${type} find_value(${table} table, string name) {
    ${search}
    return -1;
}

int main() {
    int n;
    cin >> n;
    ${table} table;
    long long sum = 0;
    int missing = 0;
    for (int i = 0; i < n; i++) {
        string name;
        cin >> name;
        if (i < n / 4) {
            ${insert}
        } else {
            ${type} value = find_value(table, name);
            if (value < 0) {
                missing++;
            } else {
                sum = sum + value;
            }
            cout << value << endl;
        }
    }
    cout << sum << " " << missing << endl;
    return 0;
}
