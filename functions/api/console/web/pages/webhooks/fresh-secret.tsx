// A signing secret, which the API returns once: it stays on the page until it is stored or the page
// is left, and never in the address.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { TextBlock } from '../../parts/copy.tsx';
import { words } from '../../words/en.ts';

interface FreshSecret {
  webhookId: string;
  secret: string;
  isRotated: boolean;
}

const fresh = signal<FreshSecret | undefined>(undefined);

export function showSecret(secret: FreshSecret): void {
  fresh.value = secret;
}

const forget = (): void => {
  fresh.value = undefined;
};

export function SecretNote({ webhookId }: { webhookId: string }) {
  useEffect(() => forget, []);
  if (fresh.value?.webhookId !== webhookId) return null;
  const { secret, isRotated } = fresh.value;
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
