/** Keys to press together, drawn as keys. */
export function Kbd({ keys }: { keys: readonly string[] }) {
  return (
    <span className="inline-flex items-center gap-1 whitespace-nowrap">
      {keys.map((key) => (
        <kbd
          key={key}
          className="grid h-5 min-w-5 place-items-center rounded-[5px] border border-line-strong bg-card px-1 font-sans text-[12px] leading-none text-muted"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}
