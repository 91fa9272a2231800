export interface BatchProgressProps {
  batchId: string;
  /** Names what succeeded too, where there is room for it. */
  named?: boolean;
  /** Where its title and how it ended are told above it: what became of its domains alone. */
  isBare?: boolean;
  onDismiss?: () => void;
  /** Its end was seen, without a failure. */
  onSucceeded?: ((batchId: string) => void) | undefined;
  /** Before it leads to the list of domains: closes what it stands in. */
  onLeave?: () => void;
  /** Shows the batch that undoes this one; without it, undoing is not offered. */
  onStarted?: (batchId: string) => void;
}
