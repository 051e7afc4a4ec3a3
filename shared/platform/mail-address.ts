// Addresses that mail is sent to and from: one mailbox each, and no characters that could inject a
// header.

/** A local part and a domain, in the characters that every mail server accepts. */
const addressPattern =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/i;
const maxAddressCharacters = 254;

/** Before the @ sign; mail servers accept no more. */
const maxLocalPartCharacters = 64;

export const isMailAddress = (text: string): boolean =>
  text.length <= maxAddressCharacters && text.lastIndexOf('@') <= maxLocalPartCharacters && addressPattern.test(text);

/** Two spellings with the same normalized text reach the same mailbox. */
export const normalizeEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase();

/**
 * The mailbox that an address most likely belongs to: without the tag after a plus sign. Dots stay,
 * because only some providers ignore them.
 */
export function toMailbox(address: string): string {
  const at = address.lastIndexOf('@');
  const [name] = address.slice(0, at).split('+');
  return name ? name + address.slice(at) : address;
}

/** Enough for its owner to recognize it, and too little to write to. */
export function maskEmail(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, Math.min(1, at - 1))}***${address.slice(at)}`;
}

export interface MailSender {
  /** The name that recipients see. */
  name: string | undefined;
  address: string;
  domain: string;
}

const senderPattern = /^(?:"?([^"<>\p{Cc}\p{Zl}\p{Zp}]{1,64}?)"?\s*<([^<>\s]+)>|([^<>\s]+))$/u;

/** Parses `Team <no-reply@example.com>` or a bare address; undefined if it is neither. */
export function parseMailSender(text: string): MailSender | undefined {
  const [, name, inBrackets, bareAddress] = senderPattern.exec(text.trim()) ?? [];
  const senderAddress = inBrackets ?? bareAddress ?? '';
  if (!isMailAddress(senderAddress)) return undefined;
  const at = senderAddress.lastIndexOf('@') + 1;
  // In lower case, as in the grants that are based on it.
  const domain = senderAddress.slice(at).toLowerCase();
  return { name: name?.trim() || undefined, address: senderAddress.slice(0, at) + domain, domain };
}
