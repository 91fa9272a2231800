import { onlineManager } from '@tanstack/react-query';
import { act } from '@testing-library/react';

/** The network goes, and comes back. */
export const networkReturns = () =>
  act(() => {
    onlineManager.setOnline(false);
    onlineManager.setOnline(true);
  });
