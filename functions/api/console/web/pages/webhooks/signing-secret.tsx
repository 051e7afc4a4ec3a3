// A signing secret, which the API returns once: it stays on the page until it is stored or the page
// is left, and never in the address.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { TextBlock } from '../../parts/copy.tsx';
import { words } from '../../words/en.ts';

interface SigningSecret {
  webhookId: string;
  secret: string;
  isRotated: boolean;
}

const issued = signal<SigningSecret | undefined>(undefined);

export function showSecret(secret: SigningSecret): void {
  issued.value = secret;
}

const forget = (): void => {
  issued.value = undefined;
};

export function SecretNote({ webhookId }: { webhookId: string }) {
  useEffect(() => forget, []);
  if (issued.value?.webhookId !== webhookId) return null;
  const { secret, isRotated } = issued.value;
  return (
    <section class="secret-note" aria-labelledby="secret-title">
      <h2 id="secret-title">{words.webhook.secret.title}</h2>
      <p>
        {words.webhook.secret.text} {isRotated && words.webhook.secret.rotated}
      </p>
      <TextBlock text={secret} />
      <p class="actions">
        <button type="button" class="button" onClick={forget}>
          {words.webhook.secret.stored}
        </button>
        <a href="/docs/webhooks">{words.webhook.secret.docs}</a>
      </p>
    </section>
  );
}
