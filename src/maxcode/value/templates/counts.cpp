// How often each number occurs, and answers to questions about them.
// Input: n, then n numbers from 0 to 99999.
#include <iostream>
#include <map>
#include <vector>

using namespace std;

int main() {
    int n;
    cin >> n;
    vector<${type}> numbers;
    for (int i = 0; i < n; i++) {
        ${type} x;
        cin >> x;
        numbers.push_back(x);
    }
    map<${type}, int> counts;
    for (int i = 0; i < n; i++) {
        ${type} key = numbers[i] ${operator} ${operand};
        if (counts.count(key) == 0) {
            counts[key] = 0;
        }
        counts[key] = counts[key] + 1;
    }
    long long total = 0;
    for (int i = 0; i < n; i++) {
        if (counts.count(numbers[i]) > 0) {
            total = total + counts[numbers[i]];
        }
        if (i % ${every} == 0) {
            cout << total << endl;
        }
    }
    cout << counts.size() << " " << total << endl;
    return 0;
}
