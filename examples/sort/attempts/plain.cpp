// Sorts records by key, then by name.
//
// Input:  n (0 to 1,000,000), then n lines "key name"; a key fits in 64 bits
//         with sign, a name is 1 to 30 characters without white space.
// Output: the records in order, one "key name" per line. Names compare by
//         their bytes.

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

using namespace std;

struct Record {
    long long key;
    string name;
};

bool before(const Record& a, const Record& b) {
    if (a.key != b.key) {
        return a.key < b.key;
    }
    return a.name < b.name;
}

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int n = 0;
    cin >> n;

    vector<Record> records;
    for (int i = 0; i < n; i++) {
        Record record;
        cin >> record.key >> record.name;
        records.push_back(record);
    }

    sort(records.begin(), records.end(), before);

    for (int i = 0; i < n; i++) {
        cout << records[i].key << " " << records[i].name << '\n';
    }
    return 0;
}
