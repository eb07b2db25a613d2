/* catalyst_paraview.cpp: the backend for ParaView as Debian packages it.
 *
 * It stands on the layer below ParaView's own Catalyst: a producer per channel,
 * whose output is set anew each time, and pipelines that are Python scripts.
 * The arrays of the channels become VTK arrays without a copy.
 *
 * ParaView says neither that a script failed nor where: pipelines therefore
 * keep the results of their calls, and what Python prints in the meantime. */
#include "io/catalyst/catalyst_mpi.h"
#include "io/catalyst/catalyst_plugin.h"

#include <algorithm>
#include <string>
#include <vector>

#include <vtkAOSDataArrayTemplate.h>
#include <vtkCallbackCommand.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkInSituInitializationHelper.h>
#include <vtkInSituPipelinePython.h>
#include <vtkLogger.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPVTrivialProducer.h>
#include <vtkPVVersion.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkPythonInterpreter.h>
#include <vtkSMProxyManager.h>
#include <vtkSMSessionProxyManager.h>
#include <vtkSMSourceProxy.h>
#include <vtkSmartPointer.h>
#include <vtkTypeInt32Array.h>
#include <vtkTypeInt64Array.h>

namespace {

using Helper = vtkInSituInitializationHelper;

const scree_catalyst_setup *setup;
scree_catalyst_mpi mpi;
vtkLogger::Verbosity verbosity; /* of ParaView's own messages */

/* What Python prints as errors while one of these is alive. */
class Printed {
  public:
    Printed() {
        callback->SetClientData(&text);
        callback->SetCallback([](vtkObject *, unsigned long, void *to,
                                 void *line) {
            *static_cast<std::string *>(to) += static_cast<const char *>(line);
        });
        interpreter->AddObserver(vtkCommand::ErrorEvent, callback);
    }
    std::string text;

  private:
    vtkNew<vtkPythonInterpreter> interpreter;
    vtkNew<vtkCallbackCommand> callback;
};

/* A script that fails, on any rank, is heard of once, and not called again; filters
 * in Python fail without telling their caller, but not without a traceback. Debian's
 * build logs an error of its own before it calls the first pipeline: the log is
 * off until then. */
class Pipeline : public vtkInSituPipelinePython {
  public:
    static Pipeline *New();
    vtkTypeMacro(Pipeline, vtkInSituPipelinePython);

    void SetScript(int i) {
        number = i;
        SetFileName(setup->scripts[i]);
        SetArguments({setup->arguments, setup->arguments + setup->n_argument});
    }

    bool Initialize() override {
        return Call([this] { return Superclass::Initialize(); });
    }

    bool Execute(int step, double time) override {
        return Call([=] { return Superclass::Execute(step, time); });
    }

  protected:
    Pipeline() = default;

  private:
    template <class Work> bool Call(Work work) {
        vtkLogger::SetStderrVerbosity(verbosity);
        if (failed) return false;
        Printed printed;
        const bool here = !work() || printed.text.find("Traceback (most") !=
                                         std::string::npos;
        failed =
            setup->any_failed(setup->to, number, here, printed.text.c_str());
        return !failed;
    }

    int number = 0;
    bool failed = false;
};
vtkStandardNewMacro(Pipeline);

/* ---- channels ------------------------------------------------------------ */

/* The last argument of SetArray: the memory is not VTK's to free. */
template <class Array, class Value>
vtkSmartPointer<vtkDataArray> wrap(const char *name, const void *data,
                                   int columns, int64_t n) {
    vtkNew<Array> array;
    array->SetName(name);
    array->SetNumberOfComponents(columns);
    array->SetArray(static_cast<Value *>(const_cast<void *>(data)), n * columns,
                    1);
    return array.GetPointer();
}

vtkSmartPointer<vtkDataArray> wrap(const scree_catalyst_field &f, int64_t n) {
    switch (f.type) {
    case SCREE_CATALYST_INT32:
        return wrap<vtkTypeInt32Array, vtkTypeInt32>(f.name, f.data, f.columns,
                                                     n);
    case SCREE_CATALYST_INT64:
        return wrap<vtkTypeInt64Array, vtkTypeInt64>(f.name, f.data, f.columns,
                                                     n);
    default:
        return wrap<vtkAOSDataArrayTemplate<double>, double>(f.name, f.data,
                                                             f.columns, n);
    }
}

void add_fields(vtkDataSetAttributes *to, const scree_catalyst_field *fields,
                int n_field, int64_t n) {
    for (int i = 0; i < n_field; i++) to->AddArray(wrap(fields[i], n));
}

vtkSmartPointer<vtkCellArray> wrap(const scree_catalyst_cells &cells) {
    vtkNew<vtkCellArray> array;
    if (cells.n > 0)
        array->SetData(
            wrap<vtkTypeInt64Array, vtkTypeInt64>("offsets", cells.offsets, 1,
                                                  cells.n + 1),
            wrap<vtkTypeInt64Array, vtkTypeInt64>(
                "connectivity", cells.connectivity, 1, cells.offsets[cells.n]));
    return array.GetPointer();
}

vtkSmartPointer<vtkPolyData> wrap(const scree_catalyst_channel &c) {
    vtkNew<vtkPolyData> data;
    vtkNew<vtkPoints> points;
    points->SetData(wrap<vtkAOSDataArrayTemplate<double>, double>(
        "Points", c.points, 3, c.n_point));
    data->SetPoints(points);
    data->SetVerts(wrap(c.vertices));
    data->SetLines(wrap(c.lines));
    data->SetPolys(wrap(c.polygons));
    add_fields(data->GetPointData(), c.point_fields, c.n_point_field,
               c.n_point);
    add_fields(data->GetCellData(), c.cell_fields, c.n_cell_field,
               c.vertices.n + c.lines.n + c.polygons.n);
    return data.GetPointer();
}

vtkSMSourceProxy *producer_of(const char *name) {
    vtkSMSourceProxy *known = Helper::GetProducer(name);
    if (known) return known;
    auto *manager =
        vtkSMProxyManager::GetProxyManager()->GetActiveSessionProxyManager();
    auto proxy =
        vtkSmartPointer<vtkSMSourceProxy>::Take(vtkSMSourceProxy::SafeDownCast(
            manager->NewProxy("sources", "PVTrivialProducer")));
    proxy->UpdateVTKObjects();
    Helper::SetProducer(name, proxy);
    return Helper::GetProducer(name);
}

void produce(const scree_catalyst_channel &channel, double time) {
    vtkSMSourceProxy *proxy = producer_of(channel.name);
    auto *producer =
        vtkPVTrivialProducer::SafeDownCast(proxy->GetClientSideObject());
    producer->SetOutput(wrap(channel), time);
    Helper::MarkProducerModified(proxy);
}

/* ---- the plug-in --------------------------------------------------------- */

bool open_paraview(const scree_catalyst_setup *given) {
    setup = given;
    scree_catalyst_begin_mpi(&mpi);
    Helper::Initialize(static_cast<vtkTypeUInt64>(MPI_Comm_c2f(mpi.comm)));
    /* ParaView is silent on all ranks but the first; its Python takes that for
     * the wish to hear everything, and fails to tell it. */
    verbosity = std::max(vtkLogger::GetCurrentVerbosityCutoff(),
                         vtkLogger::VERBOSITY_ERROR);
    vtkLogger::SetStderrVerbosity(verbosity);
    if (!Helper::IsPythonSupported()) {
        setup->complain(setup->to, -1, "this ParaView has no Python");
        return false;
    }
    /* Now and not at the first call: VTK sets SIGINT to its default then, and the
     * caller puts it right when this function is through. */
    vtkPythonInterpreter::Initialize(0);
    for (int i = 0; i < setup->n_script; i++) {
        vtkNew<Pipeline> pipeline;
        pipeline->SetScript(i);
        Helper::AddPipeline(pipeline);
    }
    return true;
}

void execute_paraview(const scree_catalyst_state *state) {
    for (int i = 0; i < state->n_channel; i++)
        produce(state->channels[i], state->time);
    vtkLogger::SetStderrVerbosity(vtkLogger::VERBOSITY_OFF);
    Helper::ExecutePipelines(static_cast<int>(state->step), state->time);
    vtkLogger::SetStderrVerbosity(verbosity);
}

void close_paraview() {
    Helper::Finalize();
    scree_catalyst_end_mpi(&mpi);
}

} // namespace

extern "C" __attribute__((visibility("default")))
const scree_catalyst_plugin scree_catalyst_entry = {
    SCREE_CATALYST_VERSION, "ParaView " PARAVIEW_VERSION,
    /* later ones find EGL by themselves */
    PARAVIEW_VERSION_MAJOR < 6 ? SCREE_DISPLAY_NEEDED : SCREE_DISPLAY_UNUSED,
    open_paraview, execute_paraview, close_paraview};
