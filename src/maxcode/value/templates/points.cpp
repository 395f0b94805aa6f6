// Pairs of points: distances, neighbours, extent.
// Input: n, then n numbers; point i is (x mod 1000, x / 97 mod 1000).
#include <cmath>
#include <iostream>
#include <vector>

using namespace std;

struct Point {
    double x, y;
    double weight;
    int neighbours;
};

double distance_between(Point a, Point b) {
    return sqrt(pow(a.x - b.x, 2) + pow(a.y - b.y, 2));
}

int main() {
    int n;
    cin >> n;
    vector<Point> points;
    for (int i = 0; i < n; i++) {
        int value;
        cin >> value;
        Point point;
        point.x = value % 1000;
        point.y = value / 97 % 1000;
        point.weight = value % 7 + 1;
        point.neighbours = 0;
        points.push_back(point);
    }
    long long near = 0;
    double largest = 0;
    for (int i = 0; i < n; i++) {
        for (int j = ${start}; j < n; j++) {
            double d = distance_between(points[i], points[j]);
            if (d < ${radius}) {
                points[i].neighbours += ${gain};
                near++;
            }
            if (d > largest) {
                largest = d;
            }
        }
    }
    int most = 0;
    for (int i = 0; i < n; i++) {
        if (points[i].neighbours > points[most].neighbours) {
            most = i;
        }
    }
    cout << near << " " << most << " " << (long long)(largest * 1000) << endl;
    return 0;
}
