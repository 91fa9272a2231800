import { readFile, readPasted } from './file/read-file';
import { FileProblem, type Sheet } from './file/sheet';
import { readTable } from './read-table';
import { TableState } from './table-state';
import type { WorkerAnswer, WorkerAnswers, WorkerCall, WorkerQuestion } from './worker-messages';

/** Answers the screen's calls; holds the rows between them. */
export function createAnswerer(): (question: WorkerQuestion) => WorkerAnswer {
  let state: TableState | undefined;

  function open(sheet: Sheet): WorkerAnswers['open'] {
    state = new TableState(readTable(sheet));
    return { ...state.summary, encoding: sheet.encoding };
  }

  function change(call: WorkerCall): WorkerAnswers[keyof WorkerAnswers] {
    if (call.kind === 'open') return open(readFile(new Uint8Array(call.bytes), call.encoding));
    if (call.kind === 'paste') return open(readPasted(call.text));
    if (!state) throw new FileProblem('EMPTY');
    switch (call.kind) {
      case 'view':
        return state.view(call.query);
      case 'checkable':
        return state.checkable();
      case 'sendable':
        return state.sendable();
      case 'edit':
        state.edit(call.row, call.column, call.text);
        break;
      case 'remove':
        state.remove(call.row);
        break;
      case 'takeRemote':
        state.takeRemote(call.asked, call.problems);
        break;
      default:
        state[call.kind]();
    }
    return state.summary;
  }

  return ({ id, call }) => {
    try {
      return { id, result: change(call) };
    } catch (error) {
      const problem = error instanceof FileProblem ? error : new FileProblem('DAMAGED');
      return { id, problem: { code: problem.code, params: { ...problem.params } } };
    }
  };
}
