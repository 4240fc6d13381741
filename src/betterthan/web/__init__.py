"""Web pages and servers: campaigns, the workbench, and shared code."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.web.campaign.campaign_server import running_campaign as running_campaign
    from betterthan.web.server.http_server import Tls as Tls
    from betterthan.web.workbench.open_files import Files as Files
    from betterthan.web.workbench.session import WorkbenchSession as WorkbenchSession
    from betterthan.web.workbench.workbench_server import served_workbench as served_workbench

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "campaign.campaign_server": "running_campaign",
        "server.http_server": "Tls",
        "workbench.open_files": "Files",
        "workbench.session": "WorkbenchSession",
        "workbench.workbench_server": "served_workbench",
    },
)
