// bullet.cpp: the settled bed in Bullet, tuned for it: a contact threshold that
// fits the spheres, no islands, no sleeping, friction in two directions, and
// walls whose boxes do not span the bed.
//
//   bench_bullet_double BED SETTLE_STEPS TIMED_STEPS ITERATIONS
//
// Prints one line of ` key=value` for peer.c. Times are wall time, as Scree's,
// means over the best tenth of the timed steps.
#include "bullet.hpp"

namespace {

const btScalar DT = btScalar(1e-3);

struct Body {
    double x[3], r, v[3], w[3];
};

struct Bed {
    double side = 0;
    std::vector<Body> bodies;
};

bool read(const char *path, Bed &bed) {
    std::ifstream file(path);
    size_t n;
    if (!(file >> n >> bed.side)) return false;
    bed.bodies.resize(n);
    for (Body &b : bed.bodies) {
        file >> b.x[0] >> b.x[1] >> b.x[2] >> b.r;
        file >> b.v[0] >> b.v[1] >> b.v[2] >> b.w[0] >> b.w[1] >> b.w[2];
    }
    return bool(file);
}

void addSphere(Bin &bin, const Body &b) {
    const btScalar mass = btScalar(2500 * 4.0 / 3.0 * M_PI * b.r * b.r * b.r);
    btVector3 inertia;
    bin.shapes.push_back(std::make_unique<btSphereShape>(btScalar(b.r)));
    btCollisionShape *shape = bin.shapes.back().get();
    shape->calculateLocalInertia(mass, inertia);
    const btTransform at(btQuaternion::getIdentity(), vector(b.x));
    bin.addBody(mass, inertia, shape, at, vector(b.v), vector(b.w));
}

} // namespace

int main(int argc, char **argv) {
    Bed bed;
    if (argc != 5) {
        std::fprintf(stderr, "usage: %s BED SETTLE STEPS ITERATIONS\n",
                     argv[0]);
        return 2;
    }
    if (!read(argv[1], bed)) {
        std::fprintf(stderr, "%s: cannot read the bed %s\n", argv[0], argv[1]);
        return 1;
    }
    const int settle = std::atoi(argv[2]), steps = std::atoi(argv[3]);
    const int iterations = std::atoi(argv[4]);
    const auto bin = std::make_unique<Bin>(bed.bodies.size(), iterations);
    double top = 0;
    for (const Body &b : bed.bodies) top = std::max(top, b.x[2] + b.r);
    bin->addWalls(bed.side, top);
    for (const Body &b : bed.bodies) addSphere(*bin, b);
    run(*bin, DT, settle, steps, iterations);
    return 0;
}
