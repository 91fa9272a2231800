export interface BatchProgressProps {
  batchId: string;
  onDismiss?: () => void;
  /** Shows the batch that undoes this one; without it, undoing is not offered. */
  onStarted?: (batchId: string) => void;
}
