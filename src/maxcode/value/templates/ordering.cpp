// Sorts records by hand, then prints every ${every}th.
// Input: n, then n numbers.
#include <iostream>
#include <string>
#include <vector>

using namespace std;

struct Record {
    ${type} key;
    int place;
    string name;
};

bool less_than(Record a, Record b) {
    if (a.key != b.key) {
        return a.key ${compare} b.key;
    }
    return a.place < b.place;
}

int main() {
    int n;
    cin >> n;
    vector<Record> records;
    for (int i = 0; i < n; i++) {
        Record record;
        ${type} x;
        cin >> x;
        record.key = x % ${modulus};
        record.place = i;
        record.name = "record" + to_string(i % 10);
        records.push_back(record);
    }
    ${sorting}
    for (int i = 0; i < n; i += ${every}) {
        cout << records[i].key << " " << records[i].place << " " << records[i].name << endl;
    }
    return 0;
}
