#include <iostream>
#include <map>
#include <string>
#include <vector>

class CAccount
{
public:
	CAccount() : m_nBalance(0) {}
	std::vector<long> GetHistory() const { return m_vHistory; }
	long GetBalance() const { return m_nBalance; }
	void Book(long nAmount)
	{
		m_nBalance += nAmount;
		m_vHistory.push_back(nAmount);
	}
private:
	long m_nBalance;
	std::vector<long> m_vHistory;
};

int main()
{
	int nBookings;
	std::cin >> nBookings;
	std::map<std::string, CAccount> mapAccounts;
	long nLargest = 0;
	for (int i = 0; i < nBookings; i++)
	{
		std::string strName;
		long nAmount;
		std::cin >> strName >> nAmount;
		mapAccounts[strName].Book(nAmount);
		if (mapAccounts[strName].GetHistory().back() > nLargest)
			nLargest = mapAccounts[strName].GetHistory().back();
	}
	for (std::map<std::string, CAccount>::iterator it = mapAccounts.begin(); it != mapAccounts.end(); it++)
	{
		std::cout << it->first << " " << it->second.GetBalance() << " " << it->second.GetHistory().size() << std::endl;
	}
	std::cout << "largest " << nLargest << std::endl;
	return 0;
}
