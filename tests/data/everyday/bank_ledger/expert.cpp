#include <algorithm>
#include <cstdio>
#include <map>
#include <string>

struct Account {
    long balance = 0;
    long bookings = 0;
};

int main() {
    int n;
    if (std::scanf("%d", &n) != 1) n = 0;
    std::map<std::string, Account> accounts;
    long largest = 0;
    char name[64];
    long amount;
    for (int i = 0; i < n && std::scanf("%63s %ld", name, &amount) == 2; i++) {
        Account& account = accounts[name];
        account.balance += amount;
        account.bookings++;
        largest = std::max(largest, amount);
    }
    for (const auto& [who, account] : accounts)
        std::printf("%s %ld %ld\n", who.c_str(), account.balance, account.bookings);
    std::printf("largest %ld\n", largest);
}
