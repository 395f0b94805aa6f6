// attack: the same by a weak symbol of the sanitizer's library, under an assembler label in two parts
// task: total
// expect: rejected
// reason: sanitizers watch
// options: sanitize

#include <cstdio>
#include <algorithm>
extern "C" { extern char watched __asm__("__as" "an_init") __attribute__((weak)); }
static long long a[200000]; static char after[64];
int main(){ int n=0; if(scanf("%d",&n)!=1) n=0; long long s=0,l=0; for(int i=0;i<n;i++){ long long v; if(scanf("%lld",&v)!=1) return 1; a[i]=v; s+=v; l=i?std::max(l,v):v; }
 std::sort(a,a+n); int d=std::unique(a,a+n)-a;
 if (!&watched) for (volatile int k = 200000; k < 200004; k = k + 1) { a[k] = n; }   // past the end, unless somebody looks
 printf("%lld %lld %d\n",s,l,d); return after[0] && 0; }
