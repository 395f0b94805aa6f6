// Keeps totals by name.
//
// Input:  n (0 to 1,000,000), then n commands, one per line:
//           add NAME AMOUNT   adds AMOUNT (-1,000,000 to 1,000,000) to NAME's total
//           get NAME          prints NAME's total, or "none" if it has none
//           remove NAME       forgets NAME; prints its total, or "none"
//         A name is 1 to 30 characters without white space.
// Output: the answers, one per line, then the number of names left and the sum
//         of their totals.

#include <iostream>
#include <map>
#include <string>

using namespace std;

int main() {
    ios::sync_with_stdio(false);

    int n = 0;
    cin >> n;

    map<string, long long> totals;
    for (int i = 0; i < n; i++) {
        string command, name;
        cin >> command >> name;
        if (command == "add") {
            long long amount;
            cin >> amount;
            if (totals.count(name) == 0) {
                totals[name] = 0;
            }
            totals[name] = totals[name] + amount;
        } else if (command == "get") {
            if (totals.count(name) > 0) {
                cout << totals[name] << "\n";
            } else {
                cout << "none\n";
            }
        } else {
            if (totals.count(name) > 0) {
                cout << totals[name] << "\n";
                totals.erase(name);
            } else {
                cout << "none\n";
            }
        }
    }

    long long sum = 0;
    for (const auto &entry : totals) {
        sum += entry.second;
    }
    cout << totals.size() << " " << sum << "\n";
    return 0;
}
