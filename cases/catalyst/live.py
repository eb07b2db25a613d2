# script-version: 2.0
"""The connection to a ParaView that watches the run: Catalyst Live.

Not to be named in a case: `live: "host:port"` adds it after the other scripts,
so that their filters can be seen too, whoever wrote them.
"""
from paraview import catalyst
from paraview.simple import PVTrivialProducer

channels = [PVTrivialProducer(registrationName=name)
            for name in ("bodies", "contacts", "surfaces")]

options = catalyst.Options()
options.GlobalTrigger = "TimeStep"
options.CatalystLiveTrigger = "TimeStep"
options.EnableCatalystLive = 1
options.CatalystLiveURL = dict(
    text.split("=", 1) for text in catalyst.get_args())["live"]


def catalyst_execute(info):
    for channel in channels:
        channel.UpdatePipeline(info.time)
