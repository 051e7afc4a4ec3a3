// Tabs and choices whose state is in the address.
import { address, hrefOf } from '../address/address.ts';
import { useCurrentInView } from './current-in-view.ts';

interface TabsProps {
  label: string;
  /** The query parameter. */
  name: string;
  choices: readonly { id: string; name: string }[];
  current: string;
  /** The choice that is not written into the address; the first one unless named. */
  defaultId?: string;
  /** Choices are smaller, and stand within a line. */
  isSmall?: boolean;
}

export function Tabs({ label, name, choices, current, defaultId = choices[0]?.id, isSmall = false }: TabsProps) {
  const { path, query } = address.value;
  const row = useCurrentInView(current);
  return (
    <nav ref={row} class={isSmall ? 'choices' : 'tabs'} aria-label={label}>
      {choices.map((choice) => (
        <a
          key={choice.id}
          href={hrefOf(path, { ...query, [name]: choice.id === defaultId ? null : choice.id })}
          aria-current={choice.id === current ? 'true' : undefined}
        >
          {choice.name}
        </a>
      ))}
    </nav>
  );
}
