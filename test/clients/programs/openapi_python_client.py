# A day's work with the package that openapi-python-client makes. Checked and run beside what was generated.
import datetime
import json
import os
from typing import TypeVar
from uuid import uuid4

from generated import AuthenticatedClient, Client
from generated.api.data import get_daily
from generated.api.mobile_sdk import exchange_sdk_token, open_sdk_session, upload_sdk_data
from generated.api.users import create_user, get_user
from generated.api.webhooks import list_webhooks
from generated.models import (
    Error,
    NewUser,
    SdkExchangeRequest,
    SdkSessionRequest,
    SdkSessionRequestPlatform,
    SdkSessionRequestProvider,
    Upload,
    UploadDailyTotal,
    UploadDailyTotalMetric,
    UploadDevice,
    UploadDeviceType,
)

Answer = TypeVar("Answer")


def need(answer: Answer | Error | None) -> Answer:
    if answer is None or isinstance(answer, Error):
        raise RuntimeError(f"a call failed: {answer}")
    return answer


base_url = os.environ["BASE_URL"]
api = AuthenticatedClient(base_url=base_url, token=os.environ["API_KEY"], raise_on_unexpected_status=True)

user = need(create_user.sync(client=api, body=NewUser(external_ref="openapi-python-client", timezone="Europe/Berlin")))

opened = need(
    open_sdk_session.sync(
        user.id,
        client=api,
        idempotency_key=str(uuid4()),
        body=SdkSessionRequest(
            app_id="com.example.health",
            installation_id=uuid4(),
            platform=SdkSessionRequestPlatform.IOS,
            provider=SdkSessionRequestProvider.APPLE_HEALTH,
        ),
    )
)
exchanged = need(
    exchange_sdk_token.sync(client=Client(base_url=base_url), body=SdkExchangeRequest(client_token=opened.client_token))
)
uploaded = need(
    upload_sdk_data.sync(
        client=AuthenticatedClient(base_url=base_url, token=exchanged.access_token),
        body=Upload(
            time_zone="Europe/Berlin",
            device=UploadDevice(name="My watch", model="Watch7,5", type_=UploadDeviceType.WRIST),
            daily=[
                UploadDailyTotal(
                    date=datetime.date(2026, 3, 10), metric=UploadDailyTotalMetric.STEPS, value=9412, unit="count"
                )
            ],
        ),
    )
)

daily = need(get_daily.sync(os.environ["SEEDED_USER"], client=api, types="steps"))
steps: list[float | None] = daily.series["steps"]

webhooks = need(list_webhooks.sync(client=api))
missing = get_user.sync_detailed("usr_01k9p3w0b1c3e5g7j9m1p3r5t7", client=api)
failure = missing.parsed
assert isinstance(failure, Error)

print(
    json.dumps(
        {
            "external_ref": user.external_ref,
            "accepted": uploaded.accepted,
            "measured": any(value is not None and value > 0 for value in steps),
            "webhooks": len(webhooks.data),
            "missing": {"status": int(missing.status_code), "error": failure.error},
        }
    )
)
