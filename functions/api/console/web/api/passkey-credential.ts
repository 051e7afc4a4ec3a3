// What the browser's passkey dialog returns, as the API takes it. The browser's types say `string`
// for the type of a credential, of which there is one.
import type { ConsoleSchemas } from './client.ts';

const type = 'public-key';

export function toCreatedCredential(credential: PublicKeyCredential): ConsoleSchemas['CreatedCredential'] {
  const json = credential.toJSON();
  if (!('attestationObject' in json.response)) throw new TypeError('the browser returned no new passkey');
  const { clientDataJSON, attestationObject } = json.response;
  return {
    ...json,
    type,
    clientExtensionResults: { ...json.clientExtensionResults },
    response: { clientDataJSON, attestationObject },
  };
}

export function toAssertion(credential: PublicKeyCredential): ConsoleSchemas['PasskeyAssertion'] {
  const json = credential.toJSON();
  if (!('signature' in json.response)) throw new TypeError('the browser returned no signature');
  return { ...json, type, clientExtensionResults: { ...json.clientExtensionResults }, response: json.response };
}
