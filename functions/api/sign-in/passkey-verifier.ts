// Verifies what passkeys answer. The library throws for every answer that is not genuine.
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import { type PasskeyDemands, type PasskeyVerifier, passkeyAlgorithms } from '../../../shared/console/passkeys.ts';

const toExpected = ({ challenge, rpId, origin }: PasskeyDemands) => ({
  expectedChallenge: challenge,
  expectedOrigin: origin,
  expectedRPID: rpId,
  requireUserVerification: true,
});

/** A wrong answer is the caller's fault, whichever way the library finds it out. */
async function resultOrUndefined<T>(verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify();
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

export const passkeyVerifier: PasskeyVerifier = {
  async verifyCreated({ authenticatorAttachment: _unused, ...created }, demands) {
    const result = await resultOrUndefined(() =>
      verifyRegistrationResponse({
        response: { ...created, response: { ...created.response, transports: [] } },
        supportedAlgorithmIDs: passkeyAlgorithms,
        ...toExpected(demands),
      }),
    );
    if (!result?.verified) return undefined;
    const { id, publicKey, counter } = result.registrationInfo.credential;
    return { credentialId: id, publicKey: Buffer.from(publicKey).toString('base64url'), counter };
  },
  async verifyAssertion({ authenticatorAttachment: _unused, ...assertion }, passkey, demands) {
    const { credentialId, publicKey } = passkey;
    const { userHandle, ...signed } = assertion.response;
    const result = await resultOrUndefined(() =>
      verifyAuthenticationResponse({
        response: { ...assertion, response: { ...signed, ...(userHandle === undefined ? {} : { userHandle }) } },
        // The counter is compared when it is stored, so that of two uses at once only one counts.
        credential: { id: credentialId, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: 0 },
        ...toExpected(demands),
      }),
    );
    return result?.verified ? { counter: result.authenticationInfo.newCounter } : undefined;
  },
};
