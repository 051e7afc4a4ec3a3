// What is shown only once: a key or a link, with its copy button.
import { CopyButton } from './copy.tsx';

export const Secret = ({ text, label }: { text: string; label: string }) => (
  <p class="secret">
    <code>{text}</code> <CopyButton text={text} label={label} />
  </p>
);
