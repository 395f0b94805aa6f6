#include <cstdlib>
#include <iostream>
#include <list>
#include <memory>
#include <string>
#include <vector>

class Vehicle {
  public:
    Vehicle(std::string n, int p, int s) : name(n), pos(p), speed(s) {}
    virtual ~Vehicle() {}
    virtual int limit() const = 0;
    std::string getName() const { return name; }
    int getPos() const { return pos; }
    void setPos(int p) { pos = p; }
    int getSpeed() const { return speed; }
    void setSpeed(int s) { speed = s; }

  private:
    std::string name;
    int pos, speed;
};

class Car : public Vehicle {
  public:
    using Vehicle::Vehicle;
    int limit() const override { return 5; }
};

class Truck : public Vehicle {
  public:
    using Vehicle::Vehicle;
    int limit() const override { return 3; }
};

class Road {
  public:
    explicit Road(int l) : length(l) {}
    void add(std::shared_ptr<Vehicle> v) { vehicles.push_back(v); }

    int gap(std::shared_ptr<Vehicle> me) {
        int best = length;
        for (std::list<std::shared_ptr<Vehicle>>::iterator it = vehicles.begin(); it != vehicles.end(); it++) {
            std::shared_ptr<Vehicle> other = *it;
            if (other->getName() == me->getName()) continue;
            int d = (other->getPos() - me->getPos() + length) % length;
            if (d < best) best = d;
        }
        return best;
    }

    long step() {
        std::vector<int> speeds;
        long moved = 0;
        for (auto v : vehicles) {
            int s = v->getSpeed() + 1;
            if (s > v->limit()) s = v->limit();
            int g = gap(v);
            if (s > g - 1) s = g > 0 ? g - 1 : 0;
            speeds.push_back(s);
        }
        int i = 0;
        for (auto v : vehicles) {
            v->setSpeed(speeds[i++]);
            v->setPos((v->getPos() + v->getSpeed()) % length);
            moved += v->getSpeed();
        }
        return moved;
    }

  private:
    int length;
    std::list<std::shared_ptr<Vehicle>> vehicles;
};

int main() {
    int n, length, steps;
    std::cin >> n >> length >> steps;
    Road road(length);
    for (int i = 0; i < n; i++) {
        std::string kind;
        int pos;
        std::cin >> kind >> pos;
        std::string name = kind + "-" + std::to_string(i);
        if (kind == "car")
            road.add(std::make_shared<Car>(name, pos, 0));
        else
            road.add(std::make_shared<Truck>(name, pos, 0));
    }
    for (int t = 0; t < steps; t++) std::cout << "t=" << t << " moved " << road.step() << std::endl;
    return 0;
}
