// Installation sessions of the Mobile SDK: opened by a backend, taken up by a phone, renewed by it ever after.
import * as z from 'zod';
import { SdkPlatform, SdkProviderId } from '../catalog/provider.ts';
import { Timestamp } from '../platform/time/time.ts';
import { UserId } from '../system/ids.ts';

const AppId = z
  .string()
  .min(1)
  .max(255)
  .refine((text) => text.isWellFormed(), 'must be valid Unicode')
  .meta({ description: 'The app that embeds the SDK.', examples: ['com.example.health'] });

const InstallationId = z.guid().meta({
  description: 'An installation of the app on a phone: a UUID that the app generates once and keeps.',
  examples: ['6f1c2b1e-8d0a-4c57-9a51-3c1f0b7e2d44'],
});

export const SdkSessionId = z
  .guid()
  .meta({ description: 'The session, a UUID.', examples: ['0b9f4a52-3f6e-4e0b-8f43-5c2a9d1e7b60'] });

// Without the format `uuid`: clients of openapi-python-client would put an object into the header.
export const IdempotencyKey = z
  .string()
  .regex(/^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/, 'must be a UUID')
  .meta({
    description: 'A UUID that the caller generates for this request and sends again when retrying it.',
    examples: ['4b1d2c3e-5f60-4a7b-8c9d-0e1f2a3b4c5d'],
  });

export const SdkSessionRequest = z
  .strictObject({
    app_id: AppId,
    installation_id: InstallationId,
    platform: SdkPlatform,
    provider: SdkProviderId,
  })
  .meta({ id: 'SdkSessionRequest', description: 'The installation a session is opened for.' });
export type SdkSessionRequest = z.infer<typeof SdkSessionRequest>;

export const SdkBootstrap = z
  .object({
    session_id: SdkSessionId,
    status: z
      .enum(['pending'])
      .meta({ description: 'The phone has not exchanged the client token yet.', examples: ['pending'] }),
    client_token: z.string().meta({
      description: 'Hand it to the app, which exchanges it once for credentials.',
      examples: ['ct_WyIwMWs5cDN3MGIx.Zk1wQ0t5b2R4UjB2'],
    }),
    expires_at: Timestamp.meta({
      description: 'When the client token expires: ten minutes after it was created.',
      examples: ['2026-03-14T07:36:53.589Z'],
    }),
    user_id: UserId,
    upload: z
      .object({
        url: z.url().meta({
          description: 'Where the phone sends its data.',
          examples: ['https://api.example.com/v1/sdk/data'],
        }),
        max_batch_bytes: z
          .int()
          .meta({ description: 'The maximum size of an upload in bytes, as sent.', examples: [4_000_000] }),
        history_days: z
          .int()
          .meta({ description: 'How many days back the first upload should reach.', examples: [730] }),
      })
      .meta({ description: 'What the SDK needs to know to upload.' }),
  })
  .meta({
    id: 'SdkBootstrap',
    description: 'Everything a phone needs to get started: a client token, and where to upload.',
  });
export type SdkBootstrap = z.infer<typeof SdkBootstrap>;

export const SdkSession = z
  .object({
    id: SdkSessionId,
    status: z.enum(['pending', 'active']).meta({
      description: '`pending` until a phone has exchanged its client token, then `active`.',
      examples: ['active'],
    }),
    app_id: AppId.nullable().meta({
      description: 'The app; null when the session was opened with a mobile token that named none.',
      examples: ['com.example.health'],
    }),
    installation_id: InstallationId.nullable().meta({
      description: 'The installation; null when the session was opened with a mobile token that named none.',
      examples: ['6f1c2b1e-8d0a-4c57-9a51-3c1f0b7e2d44'],
    }),
    platform: SdkPlatform.nullable(),
    provider: SdkProviderId,
    created_at: Timestamp,
    last_seen_at: Timestamp.nullable().meta({
      description: 'When the phone last used the session; null until it does.',
      examples: ['2026-03-14T07:26:53.589Z'],
    }),
  })
  .meta({ id: 'SdkSession', description: 'An installation of an app that uploads data, or is about to.' });
export type SdkSession = z.infer<typeof SdkSession>;

export const SdkSessionList = z
  .object({ data: z.array(SdkSession).meta({ description: 'Newest first.' }) })
  .meta({ id: 'SdkSessionList', description: 'The pending and active sessions of a user.' });

const token = (description: string, example: string) =>
  z
    .string()
    .min(1)
    .max(2048)
    .meta({ description, examples: [example] });

export const SdkExchangeRequest = z
  .strictObject({
    client_token: token(
      'The client token of a bootstrap (`ct_…`), or a mobile token (`mt_…`).',
      'ct_WyIwMWs5cDN3MGIx.Zk1wQ0t5b2R4UjB2',
    ),
    app_id: AppId.optional().meta({ description: 'With a mobile token: the app.' }),
    installation_id: InstallationId.optional().meta({
      description: 'With a mobile token: the installation, so that it keeps one session however often it starts over.',
    }),
    platform: SdkPlatform.optional().meta({ description: 'With a mobile token: what the phone runs.' }),
    provider: SdkProviderId.optional().meta({
      description:
        'With a mobile token: the health platform; `health_connect` on Android and `apple_health` elsewhere by default.',
    }),
  })
  .meta({
    id: 'SdkExchangeRequest',
    description: 'The single-use token. A client token needs nothing else: its session knows the rest.',
  });
export type SdkExchangeRequest = z.infer<typeof SdkExchangeRequest>;

const refresh_token = token('Gets the next pair, once.', 'sdk_rt_WyIwMWs5cDN3MGIx.c2Rmd2Vyd2Vmc2Rm');

export const SdkRefreshRequest = z
  .strictObject({ refresh_token: refresh_token.meta({ description: 'The refresh token of the current pair.' }) })
  .meta({ id: 'SdkRefreshRequest', description: 'Requests the next pair of credentials.' });

export const SdkCredentials = z
  .object({
    session_id: SdkSessionId,
    user_id: UserId,
    access_token: z.string().meta({
      description: 'The bearer token of uploads.',
      examples: ['sdk_at_WyIwMWs5cDN3MGIx.d2Vyd2Vmc2Rmc2Rm'],
    }),
    access_expires_at: Timestamp.meta({
      description: 'One hour after it was issued.',
      examples: ['2026-03-14T08:26:53.589Z'],
    }),
    refresh_token,
    refresh_expires_at: Timestamp.meta({
      description: '60 days after it was issued; every refresh starts the period over.',
      examples: ['2026-05-13T07:26:53.589Z'],
    }),
  })
  .meta({ id: 'SdkCredentials', description: 'A pair of credentials: one to upload with, one to renew both.' });
export type SdkCredentials = z.infer<typeof SdkCredentials>;
