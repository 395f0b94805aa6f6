// Totals of a table of sales.
//
// Input:  a header line, then lines "date,region,product,quantity,price" (up to
//         1,000,000). The quantity is a whole number from -1,000,000 to
//         1,000,000, the price is from 0.00 to 99999.99 with two decimals; no
//         field holds commas, quotes or spaces, and only date may be empty.
//         Lines that are empty are skipped.
// Output: for each region in the order of the names: the region, the number of
//         lines, the sum of the quantities, the sum of quantity times price in
//         cents, the lowest and the highest price in cents.

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace std;

struct Totals {
    long long lines = 0;
    long long quantity = 0;
    long long cents = 0;
    long long lowest = 0;
    long long highest = 0;
};

vector<string> split(const string &line) {
    vector<string> fields;
    stringstream stream(line);
    string field;
    while (getline(stream, field, ',')) {
        fields.push_back(field);
    }
    return fields;
}

int main() {
    map<string, Totals> regions;
    string line;
    getline(cin, line);
    while (getline(cin, line)) {
        if (line.empty()) {
            continue;
        }
        vector<string> fields = split(line);
        string region = fields[1];
        long long quantity = stoll(fields[3]);
        long long price = llround(stod(fields[4]) * 100);

        Totals &totals = regions[region];
        if (totals.lines == 0) {
            totals.lowest = price;
            totals.highest = price;
        }
        totals.lines++;
        totals.quantity += quantity;
        totals.cents += quantity * price;
        totals.lowest = min(totals.lowest, price);
        totals.highest = max(totals.highest, price);
    }

    for (const auto &entry : regions) {
        const Totals &totals = entry.second;
        cout << entry.first << " " << totals.lines << " " << totals.quantity << " "
             << totals.cents << " " << totals.lowest << " " << totals.highest << endl;
    }
    return 0;
}
