// Addresses that mail goes to and comes from: one box each, and nothing that a header could be made of.

/** Of a name in a domain, in the signs that every mail server takes. */
const addressPattern =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/i;
const maxAddressCharacters = 254;

/** Before the sign: mail servers take no more. */
const maxLocalPartCharacters = 64;

export const isMailAddress = (text: string): boolean =>
  text.length <= maxAddressCharacters && text.lastIndexOf('@') <= maxLocalPartCharacters && addressPattern.test(text);

/**
 * The mailbox that an address most likely leads to: without the tag after a plus sign. Dots in a
 * name are kept, since only some hosts ignore them.
 */
export function toMailbox(address: string): string {
  const at = address.lastIndexOf('@');
  const [name] = address.slice(0, at).split('+');
  return name ? name + address.slice(at) : address;
}

export interface MailSender {
  /** As recipients see it. */
  name: string | undefined;
  address: string;
  domain: string;
}

const senderPattern = /^(?:"?([^"<>\p{Cc}\p{Zl}\p{Zp}]{1,64}?)"?\s*<([^<>\s]+)>|([^<>\s]+))$/u;

/** Of `Team <no-reply@example.com>`, or of an address alone. Undefined when it is neither. */
export function parseMailSender(text: string): MailSender | undefined {
  const [, name, inBrackets, bareAddress] = senderPattern.exec(text.trim()) ?? [];
  const senderAddress = inBrackets ?? bareAddress ?? '';
  if (!isMailAddress(senderAddress)) return undefined;
  const at = senderAddress.lastIndexOf('@') + 1;
  // As whoever grants by it has it: domains are kept in lower case.
  const domain = senderAddress.slice(at).toLowerCase();
  return { name: name?.trim() || undefined, address: senderAddress.slice(0, at) + domain, domain };
}
