// A phone with the SDK that has claimed a session and can upload.
import type { SdkProviderId } from '../../shared/catalog/provider.ts';
import { createCredentials, upload } from './sdk.ts';
import type { ApiResponse } from './send-request.ts';
import type { System } from './system.ts';

/** Any service that can be called over HTTP. */
type ApiCaller = Pick<System, 'call'>;

export interface Phone {
  sessionId: string;
  accessToken: string;
  refreshToken: string;
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
    upload: (body) => upload(system, access_token, body),
  };
}
