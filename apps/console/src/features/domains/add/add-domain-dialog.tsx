import { ApiError, type Subscription } from '@cordon/contract';
import { useNavigate } from '@tanstack/react-router';
import { ArrowLeft, ArrowRight, Rocket } from 'lucide-react';
import { useEffect, useId, useReducer, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type FieldPath, FormProvider, type UseFormReturn, useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { failureNoticeMs } from '../../../app/failure';
import { useSubscriptions } from '../../../app/subscriptions';
import { namesLeft } from '../../../domain/data/names-left';
import { useCreateRoute } from '../../../domain/data/queries';
import { Callout } from '../../../domain/form/callout';
import { placeApiErrors } from '../../../domain/form/contract-form';
import { isPlanLimit, type PlanLimit, UpgradePrompt } from '../../../domain/form/upgrade-prompt';
import { useRecheck } from '../../../domain/form/use-recheck';
import { useSaveErrorList } from '../../../domain/words/error-words';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { focusFirst, INVALID_FIELD } from '../../../ui/lead-to-error';
import { notify } from '../../../ui/notices';
import {
  ADD_STEPS,
  type AddDomainValues,
  type AddStep,
  addDomainResolver,
  emptyValues,
  fieldOf,
  STEP_FIELDS,
  stepOf,
  toCreateBody,
} from './add-domain-values';
import { NameStep } from './name-step';
import { admitName } from './own-name';
import { StepTrail } from './step-trail';
import type { Admission } from './use-detection';
import { type IsCurrent, usePassage } from './use-passage';

/* Read while the step before is filled in. Kept in the state, not lazy: their fields are there at once for the focus that goes to them. */
const readTrafficStep = async () => (await import('./traffic-step')).TrafficStep;
const readReviewStep = async () => (await import('./review-step')).ReviewStep;

type AddDomainForm = UseFormReturn<AddDomainValues>;

/** Where one is in the wizard. `body` is what the steps stand in. */
function useSteps() {
  const body = useRef<HTMLFormElement>(null);
  const [step, setStep] = useState<AddStep>('name');
  // A step starts at what it begins with, also for those who do not see it change. On the first the dialog places the focus
  // itself: a field that took it before would be what the dialog gives it back to.
  const focusedStep = useRef(step);
  useEffect(() => {
    if (focusedStep.current === step) return;
    focusedStep.current = step;
    focusFirst(
      body.current?.querySelector(`[data-step=${step}]`),
      // To what is typed: the way that traffic takes is chosen already. The last step has what it shows to be read first.
      [INVALID_FIELD, '[data-start]', 'input:not([type=hidden], [type=radio]), textarea', 'button'],
      { preventScroll: true },
    );
  }, [step]);
  return { body, step, go: setStep };
}

/** A step's fields once they are read, from `isSoon` on, and waiting for them where the step before was filled in faster. */
function useStepPart<Part extends object>(read: () => Promise<Part>, isSoon: boolean) {
  const [Part, setPart] = useState<Part>();
  useEffect(() => {
    if (isSoon) void read().then((found) => setPart(() => found));
  }, [read, isSoon]);
  async function awaitPart() {
    const found = await read();
    flushSync(() => setPart(() => found));
  }
  return [Part, awaitPart] as const;
}

/** Saving what was typed: what is refused leads back to the step that shows it; `leftOver` has all that was refused. */
function useSave(form: AddDomainForm, go: (step: AddStep) => void) {
  const t = useTranslations('domain.add');
  const errorList = useSaveErrorList();
  const navigate = useNavigate();
  const create = useCreateRoute();
  const [leftOver, setLeftOver] = useState<readonly string[]>([]);
  const [isDone, setDone] = useState(false);
  const [saving, setSaving] = useState<'draft' | 'deploy'>();

  function place(error: ApiError, values: AddDomainValues) {
    const { placed } = placeApiErrors(form, error, (path) => fieldOf(path, values));
    const steps = placed.map(stepOf);
    const first = ADD_STEPS.find((one) => steps.includes(one));
    if (!first) return;
    go(first);
    const path = placed.find((one) => stepOf(one) === first);
    window.setTimeout(() => path && form.setFocus(path as FieldPath<AddDomainValues>));
  }
  async function save(values: AddDomainValues, deploy: boolean) {
    setLeftOver([]);
    setSaving(deploy ? 'deploy' : 'draft');
    try {
      const route = await create.mutateAsync({ ...toCreateBody(values), deploy });
      // At once: the router asks about unsaved changes before it leaves.
      flushSync(() => setDone(true));
      if (!deploy) notify({ tone: 'success', title: t('savedDraft', { name: route.domain_name_unicode }) });
      await navigate({ to: '/domain/list/$id', params: { id: route.id } });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      place(error, values);
      setLeftOver(errorList(error));
      if (isPlanLimit(error.code))
        notify({ id: error.code, tone: 'error', title: errorList(error)[0] ?? '', durationMs: failureNoticeMs(error) });
    } finally {
      setSaving(undefined);
    }
  }
  const submit = (deploy: boolean) =>
    form.handleSubmit(
      (values) => save(values, deploy),
      (errors) => {
        const first = ADD_STEPS.find((one) => STEP_FIELDS[one].some((field) => field in errors));
        if (first) go(first);
      },
    )();
  const limit = create.error instanceof ApiError && isPlanLimit(create.error.code) ? create.error.code : undefined;
  return { submit, saving, isDone, leftOver, limit };
}

interface StepButtonsProps {
  formId: string;
  step: AddStep;
  /** The chosen subscription has no name left, as the step itself says. */
  isFull: boolean;
  saving: 'draft' | 'deploy' | undefined;
  isChecking: boolean;
  onStep: (step: AddStep) => void;
  onSaveDraft: () => void;
}

/** Back and on; at the last step the ways to save. */
function StepButtons({ formId, step, isFull, saving, isChecking, onStep, onSaveDraft }: StepButtonsProps) {
  const t = useTranslations('domain.add');
  const tSave = useTranslations('domain.save');
  const index = ADD_STEPS.indexOf(step);
  return (
    <>
      {index > 0 && (
        <Button
          className="mr-auto flex-none!"
          variant="ghost"
          icon={<ArrowLeft size={16} aria-hidden />}
          disabled={saving !== undefined}
          onClick={() => onStep(ADD_STEPS[index - 1] ?? 'name')}
        >
          {t('back')}
        </Button>
      )}
      {step === 'review' ? (
        <>
          <Button loading={saving === 'draft'} disabled={saving === 'deploy'} onClick={onSaveDraft}>
            {tSave('draft')}
          </Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            icon={<Rocket size={16} aria-hidden />}
            loading={saving === 'deploy'}
            disabled={saving === 'draft'}
          >
            {tSave('deploy')}
          </Button>
        </>
      ) : (
        <Button type="submit" form={formId} variant="primary" loading={isChecking} disabled={isFull}>
          {t('continue')}
          <ArrowRight size={16} aria-hidden />
        </Button>
      )}
    </>
  );
}

/** What was refused, where no field shows it. */
function Refusal({ limit, lines }: { limit: PlanLimit | undefined; lines: readonly string[] }) {
  if (limit)
    return (
      <div className="mb-4">
        <UpgradePrompt reason={limit} />
      </div>
    );
  if (lines.length === 0) return null;
  return (
    <Callout tone="danger" role="alert" className="mb-4">
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </Callout>
  );
}

interface WizardProps {
  subscriptions: readonly Subscription[];
  selected: Subscription;
  onClose: () => void;
}

/** The wizard proper; mounted once the subscriptions are known, because the first one is selected by default. */
function Wizard({ subscriptions, selected, onClose }: WizardProps) {
  const t = useTranslations('domain.add');
  const formId = useId();
  const subscriptionOf = (cname: string) => subscriptions.find((one) => one.cname === cname);
  const form = useForm<AddDomainValues>({
    defaultValues: emptyValues(selected.cname),
    resolver: addDomainResolver(subscriptionOf),
    mode: 'onSubmit',
  });
  const { isDirty, errors } = form.formState;
  // The steps are checked one by one, the form is sent once: an error leaves with what it was about.
  useEffect(
    () =>
      form.watch((_, { name }) => {
        if (name && form.getFieldState(name).error) form.clearErrors(name);
      }).unsubscribe,
    [form],
  );
  // After it: what was found at other fields is looked at anew.
  useRecheck(form);
  const { body, step, go } = useSteps();
  const [TrafficStep, awaitTrafficStep] = useStepPart(readTrafficStep, true);
  const [ReviewStep, awaitReviewStep] = useStepPart(readReviewStep, step === 'traffic');
  const { submit, saving, isDone, leftOver, limit } = useSave(form, go);
  const subscription = subscriptionOf(form.watch('cname'));
  const admission = useRef<Admission>({});
  const [, drawAgain] = useReducer((count: number) => count + 1, 0);
  const { isChecking, begin } = usePassage(form, step, body);
  const isShownAtField = Object.keys(errors).length > 0 && leftOver.length === 1;

  async function pass(isCurrent: IsCurrent) {
    const next = ADD_STEPS[ADD_STEPS.indexOf(step) + 1];
    if (!next || !(await form.trigger([...STEP_FIELDS[step]], { shouldFocus: true }))) return;
    const ask = step === 'name' ? () => admitName(form, isCurrent) : () => admission.current.ask?.(isCurrent) ?? true;
    if (!(await ask())) return;
    if (next === 'traffic' && !TrafficStep) await awaitTrafficStep();
    if (next === 'review' && !ReviewStep) await awaitReviewStep();
    if (isCurrent()) go(next);
  }
  const forward = () => begin(pass);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      dirty={isDirty && !isDone}
      busy={saving !== undefined}
      keepOnOutsidePress
      top
      title={t('title')}
      description={t(`${step}.title`)}
      footer={
        <StepButtons
          formId={formId}
          step={step}
          isFull={step === 'name' && subscription !== undefined && namesLeft(subscription) === 0}
          saving={saving}
          isChecking={isChecking}
          onStep={go}
          onSaveDraft={() => void submit(false)}
        />
      }
    >
      <FormProvider {...form}>
        <StepTrail
          step={step}
          unchecked={admission.current.unchecked === undefined ? undefined : 'traffic'}
          onStep={go}
        />
        <form
          ref={body}
          id={formId}
          noValidate
          // What a look at the origins finds comes into room that is there: the buttons stay in their place.
          className={step === 'name' ? 'mt-5' : 'mt-5 sm:min-h-100'}
          onSubmit={(event) => {
            event.preventDefault();
            void (step === 'review' ? submit(true) : forward());
          }}
        >
          <Refusal limit={limit} lines={isShownAtField ? [] : leftOver} />
          <div data-step={step}>
            {step === 'name' && <NameStep subscriptions={subscriptions} />}
            {step === 'traffic' && TrafficStep && (
              <TrafficStep subscription={subscription} admission={admission.current} onForward={() => void forward()} />
            )}
            {step === 'review' && ReviewStep && (
              <ReviewStep subscription={subscription} admission={admission.current} onEdit={go} onFound={drawAgain} />
            )}
          </div>
        </form>
      </FormProvider>
    </Dialog>
  );
}

/** Adds a domain in three steps: name, traffic, review. Nothing typed is lost on Escape without a question. */
export default function AddDomainDialog({ onClose }: { onClose: () => void }) {
  const { subscriptions, selected } = useSubscriptions();
  const t = useTranslations('domain.add');
  if (!subscriptions) return null;
  if (!selected) {
    return (
      <Dialog open onOpenChange={(open) => !open && onClose()} size="sm" title={t('title')}>
        <p className="pb-4">{t('noSubscription')}</p>
      </Dialog>
    );
  }
  return <Wizard subscriptions={subscriptions} selected={selected} onClose={onClose} />;
}
