// attack: the same with the name pasted together by the preprocessor
// task: total
// expect: crashed, rejected
// reason: sanitize
// options: sanitize

#include <cstdio>
#include <algorithm>
#define PASTE(a, b) a##b
static long long a[200000]; static char after[64];
int main(){ int n=0; if(scanf("%d",&n)!=1) n=0; long long s=0,l=0; for(int i=0;i<n;i++){ long long v; if(scanf("%lld",&v)!=1) return 1; a[i]=v; s+=v; l=i?std::max(l,v):v; }
 std::sort(a,a+n); int d=std::unique(a,a+n)-a;
#if !PASTE(__SANIT, IZE_ADDRESS__)
 for (volatile int k = 200000; k < 200004; k = k + 1) { a[k] = n; }   // past the end, unless somebody looks
#endif
 printf("%lld %lld %d\n",s,l,d); return after[0] && 0; }
