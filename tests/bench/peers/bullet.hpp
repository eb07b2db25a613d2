// bullet.hpp: what the settled beds in Bullet share: clocks in the step, walls
// whose boxes do not span the bed, the tuning, and the figures' means.
#ifndef SCREE_BENCH_BULLET_HPP
#define SCREE_BENCH_BULLET_HPP

#include <BulletCollision/CollisionDispatch/btSimulationIslandManager.h>
#include <btBulletDynamicsCommon.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace {

// Bullet multiplies the two bodies' coefficients.
const btScalar FRICTION = std::sqrt(btScalar(0.5));

struct Sample {
    double step = 0, detect = 0, solve = 0, sweeps = 0; // [s]
    double contacts = 0;
};
Sample current; // where the timed parts of the running step are booked

clockid_t clockUsed = CLOCK_MONOTONIC;

double now() {
    timespec t;
    clock_gettime(clockUsed, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
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

// ---- what every bed has ------------------------------------------------------

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
struct Bin {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broad;
    Solver solver;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> walls, bodies;
    World world{&dispatcher, &broad, &solver, &configuration};

    Bin(size_t n, int iterations);
    void addWalls(double side, double top);
    void addWall(int axis, int sign, double at, double half, double top);
    void addBody(btScalar mass, const btVector3 &inertia,
                 btCollisionShape *shape, const btTransform &at,
                 const btVector3 &v, const btVector3 &w);
};

Bin::Bin(size_t n, int iterations) : configuration(pools(n)) {
    gContactBreakingThreshold = btScalar(0.002);
    world.setGravity(btVector3(0, 0, btScalar(-9.81)));
    world.getSimulationIslandManager()->setSplitIslands(false);
    btContactSolverInfo &info = world.getSolverInfo();
    info.m_numIterations = iterations;
    info.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    info.m_splitImpulse = 0;
}

void Bin::addWall(int axis, int sign, double at, double half, double top) {
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

void Bin::addWalls(double side, double top) {
    const double half = side / 2;
    addWall(2, 1, 0, half, top);
    for (int axis = 0; axis < 2; ++axis) {
        addWall(axis, 1, -half, half, top);
        addWall(axis, -1, half, half, top);
    }
}

void Bin::addBody(btScalar mass, const btVector3 &inertia,
                  btCollisionShape *shape, const btTransform &at,
                  const btVector3 &v, const btVector3 &w) {
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape,
                                                  inertia);
    info.m_startWorldTransform = at;
    info.m_friction = FRICTION;
    info.m_restitution = 0;
    info.m_linearDamping = info.m_angularDamping = 0;
    bodies.push_back(std::make_unique<btRigidBody>(info));
    btRigidBody &body = *bodies.back();
    body.setActivationState(DISABLE_DEACTIVATION);
    body.setLinearVelocity(v);
    body.setAngularVelocity(w);
    world.addRigidBody(&body);
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
    const btVector3 w =
        b.getWorldTransform().getBasis().transpose() * b.getAngularVelocity();
    double twice =
        double(b.getLinearVelocity().length2()) / double(b.getInvMass());
    for (int k = 0; k < 3; ++k)
        twice +=
            double(w[k]) * double(w[k]) / double(b.getInvInertiaDiagLocal()[k]);
    return 0.5 * twice;
}

State read(Bin &bin) {
    State state;
    for (int i = 0; i < bin.dispatcher.getNumManifolds(); ++i)
        addManifold(state, *bin.dispatcher.getManifoldByIndexInternal(i));
    for (const auto &b : bin.bodies) {
        const double energy = kinetic(*b);
        state.kinetic += energy;
        state.fastest = std::max(state.fastest, energy);
    }
    return state;
}

Sample timedStep(Bin &bin, btScalar dt) {
    current = Sample();
    const double start = now();
    bin.world.stepSimulation(dt, 0, dt);
    current.step = now() - start;
    for (int i = 0; i < bin.dispatcher.getNumManifolds(); ++i)
        current.contacts +=
            bin.dispatcher.getManifoldByIndexInternal(i)->getNumContacts();
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

void print(size_t n, int iterations, std::vector<Sample> &samples,
           const State &state) {
    std::sort(samples.begin(), samples.end(), isFaster);
    const Sample best = mean(samples, std::max<size_t>(1, samples.size() / 10));
    const Sample all = mean(samples, samples.size());
    std::printf("bullet bodies=%zu iterations=%d contacts=%g", n, iterations,
                best.contacts);
    std::printf(" step=%.9g detect=%.9g solve=%.9g sweeps=%.9g", best.step,
                best.detect, best.solve, best.sweeps);
    std::printf(" step_all=%.9g detect_all=%.9g", all.step, all.detect);
    std::printf(" penetration_mean=%.9g penetration_max=%.9g",
                state.penetrating > 0 ? state.sum / state.penetrating : 0,
                state.max);
    std::printf(" kinetic=%.9g kinetic_fastest=%.9g\n", state.kinetic,
                state.fastest);
}

// Some steps, then the timed ones; prints the line for peer.c.
void run(Bin &bin, btScalar dt, int settle, int steps, int iterations) {
    for (int i = 0; i < settle; ++i) bin.world.stepSimulation(dt, 0, dt);
    std::vector<Sample> samples;
    for (int i = 0; i < steps; ++i) samples.push_back(timedStep(bin, dt));
    print(bin.bodies.size(), iterations, samples, read(bin));
}

} // namespace

#endif
