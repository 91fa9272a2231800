import { Component, type ReactNode } from 'react';
import { BrokenApp } from './error-parts';

/** The last net: what no screen caught. */
export class AppErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown) {
    console.error('The console broke', error);
  }

  override render() {
    return this.state.error === undefined ? this.props.children : <BrokenApp error={this.state.error} />;
  }
}
