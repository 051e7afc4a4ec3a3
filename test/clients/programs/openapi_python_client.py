# A day's work with the package that openapi-python-client makes. Checked and run beside what was generated.
import datetime
import json
import os
from typing import TypeVar, assert_never
from uuid import uuid4

from generated import AuthenticatedClient, Client
from generated.api.data import get_daily
from generated.api.events import list_events
from generated.api.mobile_sdk import exchange_sdk_token, open_sdk_session, upload_sdk_data
from generated.api.users import create_user, get_user
from generated.api.webhooks import list_webhooks
from generated.models import (
    Daily,
    DataUpdatedEvent,
    DeviceConnectedEvent,
    DeviceDisconnectedEvent,
    DeviceType,
    EventPage,
    KeyExpiringEvent,
    ListWebhooksResponse200,
    MemberArchivedEvent,
    MemberJoinedEvent,
    MemberReactivatedEvent,
    MemberRemovedEvent,
    MetricId,
    NewUser,
    NotFoundError,
    ScoreUpdatedEvent,
    SdkBootstrap,
    SdkCredentials,
    SdkExchangeRequest,
    SdkPlatform,
    SdkProviderId,
    SdkSessionRequest,
    SubjectSyncedEvent,
    Upload,
    UploadAccepted,
    UploadDailyTotal,
    UploadDevice,
    User,
    UserCreatedEvent,
    UserDeletedEvent,
    WebhookDisabledEvent,
    WebhookExhaustedEvent,
)

Answer = TypeVar("Answer")


def need(answer: object, kind: type[Answer]) -> Answer:
    if not isinstance(answer, kind):
        raise RuntimeError(f"a call failed: {answer}")
    return answer


def summarize(page: EventPage) -> list[str]:
    # Passes the type checker only if every type of event has a class of its own, with its own fields.
    summaries = []
    for event in page.events:
        match event:
            case DataUpdatedEvent() | SubjectSyncedEvent():
                summaries.append(f"{event.user_id} {[metric.value for metric in event.metrics]}")
            case ScoreUpdatedEvent():
                summaries.append(f"{event.user_id} {[score.value for score in event.scores]}")
            case DeviceConnectedEvent() | DeviceDisconnectedEvent():
                summaries.append(event.device_id)
            case UserCreatedEvent():
                summaries.append(event.user_id)
            case UserDeletedEvent():
                summaries.append(str(event.erased))
            case WebhookExhaustedEvent():
                summaries.append(event.delivery_id)
            case WebhookDisabledEvent():
                summaries.append(event.webhook_id)
            case KeyExpiringEvent():
                summaries.append(event.key_id)
            case MemberJoinedEvent() | MemberArchivedEvent() | MemberReactivatedEvent() | MemberRemovedEvent():
                summaries.append(event.member_id)
            case _:
                assert_never(event)
    return summaries


base_url = os.environ["BASE_URL"]
api = AuthenticatedClient(base_url=base_url, token=os.environ["API_KEY"], raise_on_unexpected_status=True)

user = need(
    create_user.sync(client=api, body=NewUser(external_ref="openapi-python-client", timezone="Europe/Berlin")), User
)

opened = need(
    open_sdk_session.sync(
        user.id,
        client=api,
        idempotency_key=str(uuid4()),
        body=SdkSessionRequest(
            app_id="com.example.health",
            installation_id=uuid4(),
            platform=SdkPlatform.IOS,
            provider=SdkProviderId.APPLE_HEALTH,
        ),
    ),
    SdkBootstrap,
)
exchanged = need(
    exchange_sdk_token.sync(
        client=Client(base_url=base_url), body=SdkExchangeRequest(client_token=opened.client_token)
    ),
    SdkCredentials,
)
uploaded = need(
    upload_sdk_data.sync(
        client=AuthenticatedClient(base_url=base_url, token=exchanged.access_token),
        body=Upload(
            time_zone="Europe/Berlin",
            device=UploadDevice(name="My watch", model="Watch7,5", type_=DeviceType.WRIST),
            daily=[UploadDailyTotal(date=datetime.date(2026, 3, 10), metric=MetricId.STEPS, value=9412, unit="count")],
        ),
    ),
    UploadAccepted,
)

daily = need(get_daily.sync(os.environ["SEEDED_USER"], client=api, types="steps"), Daily)
steps: list[float | None] = daily.series.steps or []

webhooks = need(list_webhooks.sync(client=api), ListWebhooksResponse200)
missing = get_user.sync_detailed("usr_01k9p3w0b1c3e5g7j9m1p3r5t7", client=api)
failure = need(missing.parsed, NotFoundError)

feed = need(list_events.sync(client=api, types="user.created"), EventPage)

print(
    json.dumps(
        {
            "external_ref": user.external_ref,
            "accepted": uploaded.accepted,
            "measured": any(value is not None and value > 0 for value in steps),
            "webhooks": len(webhooks.data),
            "missing": {"status": int(missing.status_code), "error": failure.error.value},
            "event": os.environ["SEEDED_USER"] in summarize(feed),
        }
    )
)
