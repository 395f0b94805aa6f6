// Sums over ranges of a sequence, one question after the other.
// Input: n, then n numbers; question q asks for the range from (7 q) mod n of length up to ${length}.
#include <iostream>
#include <vector>

using namespace std;

${type} total(vector<${type}> values, int from, int to) {
    ${type} sum = 0;
    for (int i = from; i < to; i++) {
        sum = sum + values[i] ${term};
    }
    return sum;
}

int main() {
    int n;
    cin >> n;
    vector<${type}> values;
    for (int i = 0; i < n; i++) {
        ${type} x;
        cin >> x;
        values.push_back(x);
    }
    ${type} all = 0;
    for (int q = 0; q < ${questions}; q++) {
        int from = (7 * q) % n;
        int to = from + ${length} < n ? from + ${length} : n;
        ${type} answer = total(values, from, to);
        all = all + answer;
        cout << answer << endl;
    }
    cout << all << endl;
    return 0;
}
