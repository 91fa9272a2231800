/** What is cleared of caches, in the stream of a node. */
export interface ClearStream {
  /** Looks whether something was missed. Throws what has kept it from writing. */
  look(): void;
  /** The node has been written all that is known here to be cleared. */
  readonly isCurrent: boolean;
  close(): void;
}

/** @param cursor Of the last event that the node has carried out. */
export type OpenClears = (
  czones: readonly string[],
  cursor: string,
  write: (text: string) => Promise<void>,
) => ClearStream;

/** What a node reports: clears that hold on it, with the milliseconds since their calls. */
export type RecordClearReceipts = (
  node: { readonly id: string; readonly czones: readonly string[] },
  receipts: readonly { readonly clear_id: string; readonly milliseconds: number }[],
) => Promise<void>;
