// bullet.cpp: the settled bed in Bullet, tuned for it: a contact threshold that
// fits the spheres, no islands, no sleeping, friction in two directions, and
// walls whose boxes do not span the bed.
//
//   bench_bullet_double BED SETTLE_STEPS TIMED_STEPS ITERATIONS
//
// Prints one line of ` key=value` for peer.c. Times are wall time, as Scree's,
// means over the best tenth of the timed steps.
#include <BulletCollision/CollisionDispatch/btSimulationIslandManager.h>
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <vector>

namespace {

const btScalar DT = btScalar(1e-3);
// Bullet multiplies the two bodies' coefficients.
const btScalar FRICTION = std::sqrt(btScalar(0.5));

struct Sample {
    double step = 0, detect = 0, solve = 0, sweeps = 0; // [s]
    double contacts = 0;
};
Sample current; // where the timed parts of the running step are booked

double now() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

// ---- Bullet, with clocks in it ---------------------------------------------

struct Solver : btSequentialImpulseConstraintSolver {
    btScalar solveGroup(btCollisionObject **bodies, int bodyCount,
                        btPersistentManifold **manifolds, int manifoldCount,
                        btTypedConstraint **constraints, int constraintCount,
                        const btContactSolverInfo &info, btIDebugDraw *drawer,
                        btDispatcher *dispatcher) override {
        const double start = now();
        const btScalar result = btSequentialImpulseConstraintSolver::solveGroup(
            bodies, bodyCount, manifolds, manifoldCount, constraints,
            constraintCount, info, drawer, dispatcher);
        current.solve += now() - start;
        return result;
    }

    btScalar solveGroupCacheFriendlyIterations(
        btCollisionObject **bodies, int bodyCount,
        btPersistentManifold **manifolds, int manifoldCount,
        btTypedConstraint **constraints, int constraintCount,
        const btContactSolverInfo &info, btIDebugDraw *drawer) override {
        const double start = now();
        const btScalar result = btSequentialImpulseConstraintSolver::
            solveGroupCacheFriendlyIterations(bodies, bodyCount, manifolds,
                                              manifoldCount, constraints,
                                              constraintCount, info, drawer);
        current.sweeps += now() - start;
        return result;
    }
};

struct World : btDiscreteDynamicsWorld {
    using btDiscreteDynamicsWorld::btDiscreteDynamicsWorld;
    void performDiscreteCollisionDetection() override {
        const double start = now();
        btDiscreteDynamicsWorld::performDiscreteCollisionDetection();
        current.detect += now() - start;
    }
};

// A plane whose box is a slab at the wall, not all of space: otherwise the
// broad phase pairs it with every sphere.
struct Slab : btStaticPlaneShape {
    btVector3 low, high;
    Slab(const btVector3 &normal, btScalar offset, const btVector3 &low_,
         const btVector3 &high_)
        : btStaticPlaneShape(normal, offset), low(low_), high(high_) {}
    void getAabb(const btTransform &, btVector3 &a,
                 btVector3 &b) const override {
        a = low;
        b = high;
    }
};

// ---- the scene --------------------------------------------------------------

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

btVector3 vector(const double x[3]) {
    return btVector3(btScalar(x[0]), btScalar(x[1]), btScalar(x[2]));
}

btDefaultCollisionConstructionInfo pools(size_t n) {
    btDefaultCollisionConstructionInfo info;
    info.m_defaultMaxPersistentManifoldPoolSize = int(8 * n);
    info.m_defaultMaxCollisionAlgorithmPoolSize = int(8 * n);
    return info;
}

// Members are in the order that they need each other: the world goes first.
struct Scene {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broad;
    Solver solver;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> walls, spheres;
    World world{&dispatcher, &broad, &solver, &configuration};

    Scene(const Bed &bed, int iterations);
    void tune(int iterations);
    void addBox(double side, double top);
    void addWall(int axis, int sign, double at, double half, double top);
    void addSphere(const Body &body);
};

Scene::Scene(const Bed &bed, int iterations)
    : configuration(pools(bed.bodies.size())) {
    double top = 0;
    for (const Body &b : bed.bodies) top = std::max(top, b.x[2] + b.r);
    tune(iterations);
    addBox(bed.side, top);
    for (const Body &b : bed.bodies) addSphere(b);
}

void Scene::tune(int iterations) {
    gContactBreakingThreshold = btScalar(0.002);
    world.setGravity(btVector3(0, 0, btScalar(-9.81)));
    world.getSimulationIslandManager()->setSplitIslands(false);
    btContactSolverInfo &info = world.getSolverInfo();
    info.m_numIterations = iterations;
    info.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    info.m_splitImpulse = 0;
}

void Scene::addWall(int axis, int sign, double at, double half, double top) {
    const btScalar thick = 1, skin = btScalar(0.01);
    const btScalar reach = btScalar(half) + thick;
    btVector3 normal(0, 0, 0), low(-reach, -reach, -thick);
    btVector3 high(reach, reach, btScalar(top) + thick);
    normal[axis] = btScalar(sign);
    (sign > 0 ? high : low)[axis] = btScalar(at) + btScalar(sign) * skin;
    shapes.push_back(
        std::make_unique<Slab>(normal, btScalar(sign * at), low, high));
    walls.push_back(std::make_unique<btRigidBody>(btScalar(0), nullptr,
                                                  shapes.back().get()));
    walls.back()->setFriction(FRICTION);
    walls.back()->setRestitution(0);
    world.addRigidBody(walls.back().get());
}

void Scene::addBox(double side, double top) {
    const double half = side / 2;
    addWall(2, 1, 0, half, top);
    for (int axis = 0; axis < 2; ++axis) {
        addWall(axis, 1, -half, half, top);
        addWall(axis, -1, half, half, top);
    }
}

void Scene::addSphere(const Body &b) {
    const btScalar mass = btScalar(2500 * 4.0 / 3.0 * M_PI * b.r * b.r * b.r);
    btVector3 inertia;
    shapes.push_back(std::make_unique<btSphereShape>(btScalar(b.r)));
    shapes.back()->calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr,
                                                  shapes.back().get(), inertia);
    info.m_startWorldTransform.setOrigin(vector(b.x));
    info.m_friction = FRICTION;
    info.m_restitution = 0;
    info.m_linearDamping = info.m_angularDamping = 0;
    spheres.push_back(std::make_unique<btRigidBody>(info));
    btRigidBody &sphere = *spheres.back();
    sphere.setActivationState(DISABLE_DEACTIVATION);
    sphere.setLinearVelocity(vector(b.v));
    sphere.setAngularVelocity(vector(b.w));
    world.addRigidBody(&sphere);
}

// ---- figures ----------------------------------------------------------------

struct State {
    double contacts = 0, penetrating = 0, sum = 0, max = 0; // [m]
    double kinetic = 0, fastest = 0;                        // [J]
};

void addManifold(State &state, const btPersistentManifold &manifold) {
    state.contacts += manifold.getNumContacts();
    for (int i = 0; i < manifold.getNumContacts(); ++i) {
        const double depth = -double(manifold.getContactPoint(i).getDistance());
        if (depth <= 0) continue;
        state.penetrating += 1;
        state.sum += depth;
        state.max = std::max(state.max, depth);
    }
}

double kinetic(const btRigidBody &b) {
    const double mass = 1 / double(b.getInvMass());
    const double inertia = 1 / double(b.getInvInertiaDiagLocal()[0]);
    return 0.5 * mass * double(b.getLinearVelocity().length2()) +
           0.5 * inertia * double(b.getAngularVelocity().length2());
}

State read(Scene &scene) {
    State state;
    for (int i = 0; i < scene.dispatcher.getNumManifolds(); ++i)
        addManifold(state, *scene.dispatcher.getManifoldByIndexInternal(i));
    for (const auto &b : scene.spheres) {
        const double energy = kinetic(*b);
        state.kinetic += energy;
        state.fastest = std::max(state.fastest, energy);
    }
    return state;
}

Sample timedStep(Scene &scene) {
    current = Sample();
    const double start = now();
    scene.world.stepSimulation(DT, 0, DT);
    current.step = now() - start;
    for (int i = 0; i < scene.dispatcher.getNumManifolds(); ++i)
        current.contacts +=
            scene.dispatcher.getManifoldByIndexInternal(i)->getNumContacts();
    return current;
}

bool isFaster(const Sample &a, const Sample &b) {
    return a.step < b.step;
}

// Of the first `count` samples.
Sample mean(const std::vector<Sample> &samples, size_t count) {
    const double share = 1.0 / double(count);
    Sample mean;
    for (size_t i = 0; i < count; ++i) {
        mean.step += share * samples[i].step;
        mean.detect += share * samples[i].detect;
        mean.solve += share * samples[i].solve;
        mean.sweeps += share * samples[i].sweeps;
        mean.contacts += share * samples[i].contacts;
    }
    return mean;
}

void print(const Bed &bed, int iterations, std::vector<Sample> &samples,
           const State &state) {
    std::sort(samples.begin(), samples.end(), isFaster);
    const Sample best = mean(samples, std::max<size_t>(1, samples.size() / 10));
    const Sample all = mean(samples, samples.size());
    std::printf("bullet bodies=%zu iterations=%d contacts=%g",
                bed.bodies.size(), iterations, best.contacts);
    std::printf(" step=%.9g detect=%.9g solve=%.9g sweeps=%.9g", best.step,
                best.detect, best.solve, best.sweeps);
    std::printf(" step_all=%.9g detect_all=%.9g", all.step, all.detect);
    std::printf(" penetration_mean=%.9g penetration_max=%.9g",
                state.penetrating > 0 ? state.sum / state.penetrating : 0,
                state.max);
    std::printf(" kinetic=%.9g kinetic_fastest=%.9g\n", state.kinetic,
                state.fastest);
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
    const auto scene = std::make_unique<Scene>(bed, iterations);
    for (int i = 0; i < settle; ++i) scene->world.stepSimulation(DT, 0, DT);
    std::vector<Sample> samples;
    for (int i = 0; i < steps; ++i) samples.push_back(timedStep(*scene));
    print(bed, iterations, samples, read(*scene));
    return 0;
}
