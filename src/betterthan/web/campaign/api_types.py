"""Request and response types of the API; none reveals which system produced an output."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from betterthan.campaign import MOST_HELD
from betterthan.campaign import tasks as campaign_tasks
from betterthan.web.campaign.task_forms import MOST_CHARACTERS, MOST_SECONDS
from betterthan.web.campaign.task_views import plain


def _keepable(text: str) -> str:
    """Refuse what cannot be written as UTF-8."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError("half of a surrogate pair is not text") from None
    return text


def _whole(value: object) -> object:
    """Take 2.0 as 2, because JSON does not distinguish them."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


#: Text without the character NUL, which PostgreSQL cannot keep.
_NO_NUL = r"^[^\x00]*$"
Text = Annotated[str, Field(max_length=MOST_CHARACTERS, pattern=_NO_NUL), AfterValidator(_keepable)]
Said = Annotated[str, Field(min_length=1, max_length=MOST_CHARACTERS, pattern=_NO_NUL), AfterValidator(_keepable)]
Name = Annotated[str, Field(min_length=1, max_length=1000, pattern=_NO_NUL), AfterValidator(_keepable)]
Whole = Annotated[int, BeforeValidator(_whole)]
Rank = Annotated[Whole, Field(ge=1, le=5)]


class _In(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Refusal(BaseModel):
    """The reason for a refusal, in one sentence."""

    detail: str


class Invitation(_In):
    """An invitation: the last part of a judge's link."""

    invitation: Name


class Session(BaseModel):
    """The secret of a session, sent with every request: `Authorization: Bearer …`."""

    session: str


class TasksIn(_In):
    """How many tasks to hold at once."""

    number: Annotated[Whole, Field(ge=1, le=MOST_HELD)] = 1


class AnswerIn(_In):
    """For every criterion the rank of every card in the order shown: 1 is best, equal is a tie."""

    ranks: Annotated[dict[Name, Annotated[list[Rank], Field(min_length=2, max_length=5)]], Field(min_length=1)]
    both_bad: bool = False
    strength: Annotated[Whole, Field(ge=1, le=3)] | None = None
    reason: Text = ""
    tags: Annotated[list[Name], Field(max_length=100)] = []
    seconds: Annotated[float, Field(ge=0, le=MOST_SECONDS, allow_inf_nan=False)] | None = None


class SkipIn(_In):
    """The reason for giving a task back."""

    reason: Said


class ProblemIn(_In):
    """A problem report about a task."""

    text: Said


class DraftIn(_In):
    """An unfinished answer, by the names of the form's fields."""

    draft: Annotated[dict[Name, Text | list[Text]], Field(max_length=500)]


class ProgressOut(BaseModel):
    """The progress of a judge."""

    stage: campaign_tasks.Stage
    done: int
    limit: int | None
    can_undo: bool


class Criterion(BaseModel):
    """A criterion, perhaps with a question."""

    name: str
    question: str


class TurnOut(BaseModel):
    """One earlier turn of the conversation."""

    role: str
    text: str


class ItemOut(BaseModel):
    """The input of the systems."""

    source: str
    reference: str
    context: str
    turns: list[TurnOut]
    language: str


class CardOut(BaseModel):
    """One output, as HTML and as text."""

    html: str
    text: str


class TaskOut(BaseModel):
    """One comparison; `lease` is its name, `before` are the previous parts of the same document."""

    lease: str
    item: ItemOut
    before: list[str]
    cards: list[CardOut]
    training: bool
    expires_at: float


class TasksOut(BaseModel):
    """The tasks that a judge holds; none where the stage is not `judging`."""

    progress: ProgressOut
    criteria: list[Criterion]
    tasks: list[TaskOut]


class ReceiptOut(BaseModel):
    """The receipt of an answer; `right` and `expected` in training only."""

    number: int
    late: bool
    repeated: bool
    right: bool | None
    expected: list[int]


def progress_out(progress: campaign_tasks.Progress) -> ProgressOut:
    """Return how far a judge is."""
    return ProgressOut(stage=progress.stage, done=progress.done, limit=progress.limit, can_undo=progress.can_undo)


def task_out(task: campaign_tasks.Task) -> TaskOut:
    """Return a task; the item's name stays here, because names of checks could tell what they are."""
    item = task.item
    return TaskOut(
        lease=task.lease,
        item=ItemOut(
            source=item.source,
            reference=item.reference,
            context=item.context,
            language=item.language,
            turns=[TurnOut(role=turn.role, text=turn.text) for turn in item.turns],
        ),
        before=[earlier.source for earlier in task.before],
        cards=[CardOut(html=html, text=plain(html)) for html in task.cards],
        training=task.purpose == "training",
        expires_at=task.expires_at,
    )


def receipt_out(receipt: campaign_tasks.Receipt) -> ReceiptOut:
    """Return a receipt."""
    return ReceiptOut(
        number=receipt.number,
        late=receipt.late,
        repeated=receipt.repeated,
        right=receipt.right,
        expected=list(receipt.expected),
    )
