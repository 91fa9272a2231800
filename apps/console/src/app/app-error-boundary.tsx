import { Component, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../ui/button';
import { ErrorScreen } from './error-screen';
import { describeFailure } from './failure';

function BrokenApp({ error }: { error: unknown }) {
  const t = useTranslations();
  const { reasons, requestId } = describeFailure(error);
  return (
    <ErrorScreen
      title={t('errors.broken.appTitle')}
      requestId={requestId}
      actions={
        <Button variant="primary" onClick={() => window.location.reload()}>
          {t('ui.error.reload')}
        </Button>
      }
    >
      {reasons.map((one) => (
        <p key={one}>{one}</p>
      ))}
      <p>{t('errors.broken.hint')}</p>
    </ErrorScreen>
  );
}

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
