// attack: overwrites the kernel's clock code in its own address space (the vDSO)
// task: total
// expect: ok, crashed, rejected
// reason: .*
// max_speedup: 1.5

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <iostream>
#include <set>
#include <sys/auxv.h>
#include <sys/mman.h>

static void honest() {
    std::ios::sync_with_stdio(false);
    int n = 0;
    std::cin >> n;
    long long sum = 0, largest = 0;
    std::set<long long> distinct;
    for (int i = 0; i < n; ++i) {
        long long v = 0;
        std::cin >> v;
        sum += v;
        largest = i == 0 ? v : std::max(largest, v);
        distinct.insert(v);
    }
    std::cout << sum << ' ' << largest << ' ' << distinct.size() << std::endl;
}

int main() {
    char *base = (char *)getauxval(AT_SYSINFO_EHDR);
    if (base && mprotect(base, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) == 0) {
        auto *sections = (Elf64_Phdr *)(base + ((Elf64_Ehdr *)base)->e_phoff);
        while (sections->p_type != PT_DYNAMIC) ++sections;
        char *names = nullptr, *symbols = nullptr;
        for (auto *entry = (Elf64_Dyn *)(base + sections->p_vaddr); entry->d_tag != DT_NULL; ++entry) {
            if (entry->d_tag == DT_STRTAB) names = base + entry->d_un.d_ptr;
            if (entry->d_tag == DT_SYMTAB) symbols = base + entry->d_un.d_ptr;
        }
        for (auto *symbol = (Elf64_Sym *)symbols; (char *)symbol < names; ++symbol)
            if (std::strstr(names + symbol->st_name, "gettime") && symbol->st_value)
                std::memcpy(base + symbol->st_value, "\x31\xc0\xc3", 3);  // return 0
    }
    honest();
}
