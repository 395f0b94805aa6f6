#include <bits/stdc++.h>
#define REP(i, n) for (int i = 0; i < (int)(n); ++i)
#define FOR(i, a, b) for (int i = (a); i < (b); i++)
#define ALL(x) (x).begin(), (x).end()
#define rep(i,a,n) for(int i=a;i<n;i++)
#define pb push_back
#define mp make_pair
#define DEBUG(...) fprintf(stderr, __VA_ARGS__)
#define MULTI(a, b) do { \
        (a) += (b);       \
    } while (0)
#ifdef LOCAL
#define dump(x) cerr << #x << " = " << (x) << endl
#else
#define dump(x)
#endif
using namespace std;
typedef long long ll; typedef vector<ll> vl; typedef pair<int,int> P;
const int MAX = 1e5 + 5, INF = 0x3f3f3f3f; const ll MOD = 1'000'000'007LL;
int n, m, dp[105][105], memo[MAX]; vector<int> g[MAX]; bool seen[MAX]; string s, t;
void dfs(int v, int p = -1) { seen[v] = true; for (auto &w : g[v]) if (w != p && !seen[w]) dfs(w, v); }
ll modpow(ll a, ll b) { ll r = 1; while (b) { if (b & 1) (r *= a) %= MOD; (a *= a) %= MOD; b >>= 1; } return r; }
signed main() {
    cin.tie(0); ios::sync_with_stdio(false);
    cin >> n >> m;
    REP(i, m) { int a, b; cin >> a >> b; --a, --b; g[a].pb(b); g[b].pb(a); }
    REP(i, n) sort(ALL(g[i]));
    rep(i,0,n) if(!seen[i]) dfs(i);
    FOR(i, 0, 100) FOR(j, 0, 100) dp[i][j] = (i == 0 || j == 0) ? 1 : (dp[i-1][j] + dp[i][j-1]) % 1000007;
    map<string, int> cnt; REP(i, n) { cin >> s; cnt[s]++; }
    for (map<string,int>::iterator it = cnt.begin(); it != cnt.end(); ++it) cout << it->first << " " << it->second << endl;
    priority_queue<P, vector<P>, greater<P>> q; q.push(mp(0, 0));
    while (!q.empty()) { P p = q.top(); q.pop(); if (p.first > 10) break; q.push(P(p.first + 1, p.second)); }
    ll ans = 0; for (ll i = 1, k = 2; i <= n; i += k, ++k) ans = (ans + modpow(i, 3)) % MOD;
    dump(ans); printf("%lld\n", ans), puts("done");
    goto end;
end:
    return 0;
}
