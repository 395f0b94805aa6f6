// attack: the same with files that must not be there yet
// task: total_counted
// expect: rejected
// reason: clock disagree

#include <cstdio>
#include <cstdlib>
#include <algorithm>
#include <fcntl.h>
#include <unistd.h>
#include <sys/stat.h>
int main(){ static char buf[1<<23]; size_t len=fread(buf,1,sizeof buf-1,stdin); buf[len]=0; char*p=buf;
 auto rd=[&](char*&s){ while(*p&&*p<=' ')p++; s=p; bool g=*p=='-'; p+=g; long long v=0; while(*p>='0')v=v*10+*p++-'0'; *p++=0; return g?-v:v;};
 char*s; int n=rd(s); long long sum=0,l=0; int d=0; if(chdir("/tmp")) return 1;
 for(int i=0;i<n;i++){ long long v=rd(s); sum+=v; l=i?std::max(l,v):v; int f=open(s,O_CREAT|O_EXCL|O_WRONLY,0600); d+=f>=0; if(f>=0) close(f); }
 volatile long w=0; for(long i=0;i<3955516;i++) w=i;
 printf("%lld %lld %d\n",sum,l,d);}
