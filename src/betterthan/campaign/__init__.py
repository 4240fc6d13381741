"""Campaigns: collect judgments of outputs from people and programs."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.campaign.campaign_errors import CampaignError as CampaignError
    from betterthan.campaign.exports.archive import read_archive as read_archive
    from betterthan.campaign.exports.export_files import write_export as write_export
    from betterthan.campaign.log.replay_log import replayed_campaign as replayed_campaign
    from betterthan.campaign.material import safe_html as safe_html
    from betterthan.campaign.material.demo_material import demo_material as demo_material
    from betterthan.campaign.material.material import MaterialItem as MaterialItem
    from betterthan.campaign.material.material_files import read_material as read_material
    from betterthan.campaign.planning.campaign_overview import overview_of_campaign as overview_of_campaign
    from betterthan.campaign.planning.simulate_campaign import simulate_from_worlds as simulate_from_worlds
    from betterthan.campaign.planning.simulated_judges import judge_all as judge_all
    from betterthan.campaign.planning.standing import standing_of as standing_of
    from betterthan.campaign.policies.chance_process import Choosing as Choosing
    from betterthan.campaign.service import tasks as tasks
    from betterthan.campaign.service.campaign import Campaign as Campaign
    from betterthan.campaign.service.campaign import Handed as Handed
    from betterthan.campaign.service.passwords import is_password as is_password
    from betterthan.campaign.service.task_dispatch import MOST_HELD as MOST_HELD
    from betterthan.campaign.store import campaign_store as campaign_store

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "campaign_errors": "CampaignError",
        "exports.archive": "read_archive",
        "exports.export_files": "write_export",
        "log.replay_log": "replayed_campaign",
        "material.demo_material": "demo_material",
        "material.material": "MaterialItem",
        "material.material_files": "read_material",
        "material.safe_html": "*",
        "planning.campaign_overview": "overview_of_campaign",
        "planning.simulate_campaign": "simulate_from_worlds",
        "planning.simulated_judges": "judge_all",
        "planning.standing": "standing_of",
        "policies.chance_process": "Choosing",
        "service.campaign": "Campaign Handed",
        "service.passwords": "is_password",
        "service.task_dispatch": "MOST_HELD",
        "service.tasks": "*",
        "store.campaign_store": "*",
    },
)
