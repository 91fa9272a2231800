import { FIND_NAMES_MAX, type FoundDomain } from '@cordon/contract';
import { useMutation } from '@tanstack/react-query';
import { ListChecks, Search } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../../app/api-client';
import { describeFailure } from '../../../app/failure';
import { useSubscriptions } from '../../../app/subscriptions';
import { useGroupName, useGroups } from '../../../domain/data/group-queries';
import { Callout } from '../../../domain/form/callout';
import { hostOfUrl } from '../../../domain/model/host-of-url';
import { Badge } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import { CopyButton } from '../../../ui/copy-button';
import { Dialog } from '../../../ui/dialog';
import { DottedText } from '../../../ui/dotted-text';
import { Field } from '../../../ui/field';
import { joinSentences } from '../../../ui/sentences';
import { Textarea } from '../../../ui/text-input';
import { Link } from '../../../ui/text-link';

const SEPARATORS = /[\n\r\t,;，；、]+/;
/** Of a name in the call. */
const NAME_CHARACTERS_MAX = 1024;
/** A word that may be a name or an address: one without a dot is no domain name. */
const NAME_LIKE = /[./。．｡]/;

/** Words with a space between them that are not each a name are one text that is none: it is told as it stands. */
function namesOfPart(part: string): string[] {
  const words = part.split(/\s+/).filter(Boolean);
  return words.every((word) => NAME_LIKE.test(word)) ? words : [words.join(' ').slice(0, NAME_CHARACTERS_MAX)];
}

/** Each once; of an address its host. */
export function namesIn(text: string): string[] {
  const names = text.split(SEPARATORS).flatMap(namesOfPart);
  return [...new Set(names.map((name) => hostOfUrl(name) ?? name))];
}

function Where({ domain }: { domain: FoundDomain }) {
  const t = useTranslations('find');
  const { found, route } = domain;
  // What it is itself leads there by its name.
  if (!route || found === 'main') return <span className="text-muted">{t(`as.${found}`, { domain: '' })}</span>;
  return (
    <Link to="/domain/list/$id" params={{ id: route.id }}>
      {t(`as.${found}`, { domain: route.domain_name_unicode })}
    </Link>
  );
}

interface RowProps {
  domain: FoundDomain;
  groups: ReadonlyMap<string, string>;
  /** By the cname of the subscription. */
  zones: ReadonlyMap<string, string>;
}

function Row({ domain, groups, zones }: RowProps) {
  const t = useTranslations('domain.status');
  const { route } = domain;
  const name = <DottedText text={domain.name ?? domain.input} />;
  return (
    <tr className="align-top" data-found={domain.found}>
      <th scope="row" className="py-2 pr-3 text-left font-mono font-normal wrap-anywhere">
        {route && domain.found === 'main' ? (
          <Link to="/domain/list/$id" params={{ id: route.id }}>
            {name}
          </Link>
        ) : (
          name
        )}
      </th>
      <td className="px-3 py-2 wrap-anywhere phone:px-0">
        <Where domain={domain} />
        {route && (
          <p className="text-muted wrap-anywhere">
            {[groups.get(route.group_id ?? ''), zones.get(route.subscription_cname) ?? route.subscription_cname]
              .filter(Boolean)
              .join(' · ')}
          </p>
        )}
      </td>
      <td className="py-2 pl-3">
        {route && (
          <Badge tone={route.is_suspended ? 'danger' : route.status === 'running' ? 'success' : 'neutral'}>
            {t(route.is_suspended ? 'suspended' : route.status)}
          </Badge>
        )}
      </td>
    </tr>
  );
}

function Result({ domains, found }: { domains: readonly FoundDomain[]; found: number }) {
  const t = useTranslations('find');
  const groups = useGroups();
  const nameOf = useGroupName();
  const tZone = useTranslations('shell.subscription');
  const { subscriptions } = useSubscriptions();
  const zones = new Map(subscriptions?.map(({ cname, czone }) => [cname, tZone('zone', { czone })]));
  const groupNames = new Map(groups?.map((group) => [group.id, nameOf(group)]));
  const textOf = (isFound: boolean) =>
    domains
      .filter((domain) => (domain.route !== null) === isFound)
      .map(({ name, input }) => name ?? input)
      .join('\n');
  const missing = domains.length - found;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p role="status" className="font-medium">
          {t('summary', { found, missing })}
        </p>
        {found > 0 && (
          <CopyButton value={textOf(true)} label={t('copy')} copiedLabel={t('copied')} className="text-sm">
            {t('copy')}
          </CopyButton>
        )}
        {missing > 0 && (
          <CopyButton value={textOf(false)} label={t('copyMissing')} copiedLabel={t('copied')} className="text-sm">
            {t('copyMissing')}
          </CopyButton>
        )}
      </div>
      {missing > 0 && <p className="mt-0.5 text-sm text-muted">{t('notFoundNote')}</p>}
      <table className="mt-3 w-full text-sm">
        <caption className="sr-only">{t('table')}</caption>
        <thead>
          <tr className="border-b border-line text-left text-muted">
            <th scope="col" className="w-[45%] py-2 pr-3 font-medium">
              {t('name')}
            </th>
            <th scope="col" className="px-3 py-2 font-medium phone:px-0">
              {t('where')}
            </th>
            <th scope="col" className="py-2 pl-3 font-medium">
              {t('status')}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {domains.map((domain) => (
            <Row key={domain.input} domain={domain} groups={groupNames} zones={zones} />
          ))}
        </tbody>
      </table>
    </>
  );
}

/** Domains that the names are, or are shadow domains of; what a wildcard answers is not what was looked for. */
function selectable(domains: readonly FoundDomain[]) {
  const routes = domains.flatMap(({ found, route }) =>
    route && route.status !== 'deleting' && (found === 'main' || found === 'shadow_domain') ? [route] : [],
  );
  return [...new Map(routes.map((route) => [route.id, route])).values()];
}

type FoundRoute = NonNullable<FoundDomain['route']>;

/** Which of many names are in the account: paste them, get a table; jump, or select them all in the list. */
export default function FindDomainsDialog({
  onSelect,
  onClose,
}: {
  onSelect: (routes: readonly FoundRoute[]) => void;
  onClose: () => void;
}) {
  const t = useTranslations('find');
  const formId = useId();
  const [text, setText] = useState('');
  const find = useMutation({
    mutationFn: async (names: string[]) => (await api.findDomains({ query: {}, body: { names } })).result,
    meta: { isSilent: true },
  });
  const found = selectable(find.data?.domains ?? []);
  const names = namesIn(text);
  const isTooMany = names.length > FIND_NAMES_MAX;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (names.length > 0 && !isTooMany) find.mutate(names);
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('title')}
      description={t('body')}
      size="md"
      footer={
        find.data ? (
          <>
            <Button onClick={() => find.reset()}>{t('again')}</Button>
            {found.length > 0 && (
              <Button
                variant="primary"
                icon={<ListChecks size={16} aria-hidden />}
                onClick={() => {
                  onSelect(found);
                  onClose();
                }}
              >
                {t('select', { count: found.length })}
              </Button>
            )}
          </>
        ) : (
          <Button
            type="submit"
            form={formId}
            variant="primary"
            icon={<Search size={16} aria-hidden />}
            loading={find.isPending}
            disabled={names.length === 0}
          >
            {t('find')}
          </Button>
        )
      }
    >
      {find.data ? (
        <Result domains={find.data.domains} found={find.data.found} />
      ) : (
        <form id={formId} onSubmit={submit} noValidate>
          {find.error && (
            <Callout tone="danger" role="alert" className="mb-3">
              {joinSentences(describeFailure(find.error).reasons)}
            </Callout>
          )}
          <Field
            label={t('names')}
            hint={t('namesHint', { maximum: FIND_NAMES_MAX })}
            error={isTooMany ? t('tooMany', { count: names.length, maximum: FIND_NAMES_MAX }) : undefined}
          >
            <Textarea
              mono
              rows={8}
              value={text}
              onChange={(event) => setText(event.target.value)}
              spellCheck={false}
              autoCapitalize="off"
            />
          </Field>
        </form>
      )}
    </Dialog>
  );
}
