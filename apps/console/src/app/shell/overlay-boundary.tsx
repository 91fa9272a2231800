import { Component, type ReactNode } from 'react';
import { notifyFailure } from '../failure';

interface OverlayBoundaryProps {
  /** Takes what failed away, so that it can be opened anew. */
  onFailed: () => void;
  children: ReactNode;
}

/** What stands over the screen takes neither screen nor shell along when it cannot be loaded or drawn: a notice says why. */
export class OverlayBoundary extends Component<OverlayBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown) {
    console.error('What was opened over the screen broke', error);
    notifyFailure(error);
    this.props.onFailed();
    this.setState({ hasFailed: false });
  }

  override render() {
    return this.state.hasFailed ? null : this.props.children;
  }
}
