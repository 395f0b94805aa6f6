// Shortest paths between pairs of places.
//
// Input:  places, roads and questions (1 to 5000, 0 to 200,000, 0 to 1000);
//         then the roads "a b length", usable both ways, with lengths from 0 to
//         1,000,000,000; then the questions "from to". Places count from 0.
//         There may be several roads between two places, and from a place to
//         itself.
// Output: for each question the length of the shortest path, or -1.

#include <iostream>
#include <vector>

using namespace std;

struct Road {
    int to;
    long long length;
};

const long long UNKNOWN = -1;

long long shortest(const vector<vector<Road>> &roads, int from, int to) {
    int n = roads.size();
    vector<long long> distance(n, UNKNOWN);
    vector<bool> done(n, false);
    distance[from] = 0;

    while (true) {
        int nearest = -1;
        for (int place = 0; place < n; place++) {
            if (!done[place] && distance[place] != UNKNOWN) {
                if (nearest == -1 || distance[place] < distance[nearest]) {
                    nearest = place;
                }
            }
        }
        if (nearest == -1) {
            break;
        }
        done[nearest] = true;
        for (Road road : roads[nearest]) {
            long long length = distance[nearest] + road.length;
            if (distance[road.to] == UNKNOWN || length < distance[road.to]) {
                distance[road.to] = length;
            }
        }
    }
    return distance[to];
}

int main() {
    int places, count, questions;
    cin >> places >> count >> questions;

    vector<vector<Road>> roads(places);
    for (int i = 0; i < count; i++) {
        int a, b;
        long long length;
        cin >> a >> b >> length;
        roads[a].push_back({b, length});
        roads[b].push_back({a, length});
    }

    for (int i = 0; i < questions; i++) {
        int from, to;
        cin >> from >> to;
        cout << shortest(roads, from, to) << "\n";
    }
    return 0;
}
