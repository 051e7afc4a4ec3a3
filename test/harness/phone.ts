// A phone with the SDK that has claimed a session and can upload.
import { setTimeout as sleep } from 'node:timers/promises';
import type { SdkProviderId } from '../../shared/catalog/provider.ts';
import { createCredentials, upload } from './sdk.ts';
import type { ApiResponse } from './send-request.ts';
import type { System } from './system.ts';

/** Any service that can be called over HTTP. A clock that can advance passes the rate limit's waits. */
type ApiCaller = Pick<System, 'call'> & Partial<Pick<System, 'clock'>>;

export interface Phone {
  sessionId: string;
  accessToken: string;
  refreshToken: string;
  /** Waits as `Retry-After` says, as an app does. */
  upload(body: object): Promise<ApiResponse>;
}

export async function openPhone(
  system: ApiCaller,
  apiKey: string,
  userId: string,
  provider: SdkProviderId = 'apple_health',
): Promise<Phone> {
  const platform = provider === 'apple_health' ? 'ios' : 'android';
  const { session_id, access_token, refresh_token } = await createCredentials(system, apiKey, userId, {
    provider,
    platform,
  });
  return {
    sessionId: session_id,
    accessToken: access_token,
    refreshToken: refresh_token,
    async upload(body) {
      for (;;) {
        const response = await upload(system, access_token, body);
        if (response.status !== 429) return response;
        const waitMs = Number(response.headers.get('retry-after')) * 1000;
        if (system.clock) system.clock.advance(waitMs);
        else await sleep(waitMs);
      }
    },
  };
}
