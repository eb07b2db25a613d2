// bullet_shapes.cpp: settled beds of boxes and polyhedra in Bullet, tuned as in
// bullet.cpp. Boxes meet by Bullet's own box-box routine, polyhedra with their
// faces and edges made known (whole manifolds at once) and a margin of 0.5 mm
// that does not grow them.
//
//   bench_bullet_shapes_double BED SETTLE_STEPS TIMED_STEPS ITERATIONS
//
// Prints one line of ` key=value` for peer.c, in CPU time of the thread, and
// leaves the bed where it ended beside the one that it read.
#include "bullet.hpp"

namespace {

const btScalar DT = btScalar(2e-3), MARGIN = btScalar(5e-4);
const double DENSITY = 2500;

// As shapes_bed.c writes them.
struct Form {
    bool box = false;
    double half[3];
    std::vector<double> points;
    double volume = 0, J[3];
};

struct Body {
    int form;
    double r, x[3], q[4], v[3], w[3];
};

struct Bed {
    double side = 0;
    std::vector<Form> forms;
    std::vector<Body> bodies;
};

bool readForm(std::istream &file, Form &f) {
    std::string kind;
    file >> kind;
    f.box = kind == "box";
    size_t n = 0;
    if (f.box)
        file >> f.half[0] >> f.half[1] >> f.half[2];
    else
        file >> n;
    f.points.resize(3 * n);
    for (double &x : f.points) file >> x;
    return bool(file >> f.volume >> f.J[0] >> f.J[1] >> f.J[2]);
}

bool read(const char *path, Bed &bed) {
    std::ifstream file(path);
    size_t n, forms;
    if (!(file >> n >> bed.side >> forms)) return false;
    bed.forms.resize(forms);
    bed.bodies.resize(n);
    for (Form &f : bed.forms)
        if (!readForm(file, f)) return false;
    for (Body &b : bed.bodies) {
        file >> b.form >> b.r >> b.x[0] >> b.x[1] >> b.x[2];
        for (double &q : b.q) file >> q;
        file >> b.v[0] >> b.v[1] >> b.v[2] >> b.w[0] >> b.w[1] >> b.w[2];
    }
    return bool(file);
}

std::unique_ptr<btCollisionShape> make(const Form &f) {
    if (f.box) {
        auto box = std::make_unique<btBoxShape>(vector(f.half));
        box->setMargin(MARGIN); // taken off the core: the size stays
        return box;
    }
    auto hull = std::make_unique<btConvexHullShape>();
    for (size_t i = 0; i < f.points.size(); i += 3)
        hull->addPoint(vector(&f.points[i]), false);
    hull->recalcLocalAabb();
    hull->setMargin(MARGIN);
    hull->initializePolyhedralFeatures();
    return hull;
}

void fill(Bin &bin, const Bed &bed) {
    double top = 0;
    for (const Body &b : bed.bodies) top = std::max(top, b.x[2] + 0.1);
    // A plane gets a manifold of a polyhedron at once, not point by point.
    bin.configuration.setPlaneConvexMultipointIterations(4, 4);
    bin.addWalls(bed.side, top);
    const size_t first = bin.shapes.size();
    for (const Form &f : bed.forms) bin.shapes.push_back(make(f));
    for (const Body &b : bed.bodies) {
        const Form &f = bed.forms[size_t(b.form)];
        const btScalar mass = btScalar(DENSITY * f.volume);
        const btQuaternion q(btScalar(b.q[1]), btScalar(b.q[2]),
                             btScalar(b.q[3]), btScalar(b.q[0]));
        bin.addBody(mass, mass * vector(f.J),
                    bin.shapes[first + size_t(b.form)].get(),
                    btTransform(q, vector(b.x)), vector(b.v), vector(b.w));
    }
}

// The forms' lines are copied from the bed that was read.
bool write(const char *from, const Bed &bed, const Bin &bin) {
    std::ifstream in(from);
    std::ofstream out(std::string(from) + (sizeof(btScalar) == 8
                                               ? ".bullet-double"
                                               : ".bullet-float"));
    out.precision(17);
    std::string line;
    for (size_t i = 0; i <= bed.forms.size() && std::getline(in, line); ++i)
        out << line << '\n';
    for (size_t i = 0; i < bed.bodies.size(); ++i) {
        const btRigidBody &b = *bin.bodies[i];
        const btVector3 x = b.getWorldTransform().getOrigin();
        const btQuaternion q = b.getWorldTransform().getRotation();
        const btVector3 v = b.getLinearVelocity(), w = b.getAngularVelocity();
        out << bed.bodies[i].form << " 0 " << x.x() << ' ' << x.y() << ' '
            << x.z() << ' ' << q.w() << ' ' << q.x() << ' ' << q.y() << ' '
            << q.z();
        for (const btVector3 &a : {v, w})
            out << ' ' << a.x() << ' ' << a.y() << ' ' << a.z();
        out << '\n';
    }
    return bool(out.flush());
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
    clockUsed = CLOCK_THREAD_CPUTIME_ID;
    const int iterations = std::atoi(argv[4]);
    const auto bin = std::make_unique<Bin>(bed.bodies.size(), iterations);
    fill(*bin, bed);
    run(*bin, DT, std::atoi(argv[2]), std::atoi(argv[3]), iterations);
    if (write(argv[1], bed, *bin)) return 0;
    std::fprintf(stderr, "%s: cannot write beside %s\n", argv[0], argv[1]);
    return 1;
}
