import { type PluginFormUi, withOrWithout } from '../form.ts';
import { isSecretHandle } from '../secret-handle.ts';

const List: PluginFormUi['List'] = ({ label, value, onChange, errors, remarks, error, disabled }) => (
  <label>
    {label}
    <textarea
      value={value.join('\n')}
      disabled={disabled}
      onChange={(event) => onChange(event.target.value.split('\n'))}
    />
    {error}
    {Object.entries(errors ?? {}).map(([index, text]) => (
      <span key={index}>{`${index}: ${text}`}</span>
    ))}
    {remarks?.shown.map((remark) => (
      <span key={remark}>{remark}</span>
    ))}
  </label>
);

const PlainText: PluginFormUi['Duration'] = ({ label, value, onChange, error, disabled }) => (
  <label>
    {label}
    <input value={value} disabled={disabled} onChange={(event) => onChange(event.target.value)} />
    {error}
  </label>
);

const PlainNumber: PluginFormUi['Number'] = ({ label, value, onChange, error, disabled }) => (
  <label>
    {label}
    <input type="number" value={value} disabled={disabled} onChange={(event) => onChange(Number(event.target.value))} />
    {error}
  </label>
);

const Secret: PluginFormUi['Secret'] = ({ value = '', ...props }) => (
  <PlainText {...props} value={isSecretHandle(value) ? '' : value} />
);

const Code: PluginFormUi['Code'] = ({ label, samples }) => (
  <section aria-label={label}>
    {samples.map(({ id, name, code }) => (
      <pre key={id} title={name}>
        {code}
      </pre>
    ))}
  </section>
);

export const PlainSuggestions: PluginFormUi['Suggestions'] = ({ label, items, disabled }) => (
  <section aria-label={label}>
    {items.map(({ name, value, why, warning, isTaken, onTake }) => (
      <button key={name} type="button" disabled={disabled} aria-disabled={isTaken} onClick={onTake}>
        {[name, value, why, warning].join(' · ')}
      </button>
    ))}
  </section>
);

/** The blocks of a plugin's form as plain HTML, for tests of forms: labelled controls, errors as text beside them. */
export const plainFormUi: PluginFormUi = {
  Switch: ({ label, checked, onChange, error, disabled }) => (
    <label>
      {label}
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      {error}
    </label>
  ),
  Text: ({ label, value, onChange, choices, error, disabled }) => (
    <div>
      <PlainText label={label} value={value} onChange={onChange} error={error} disabled={disabled} />
      {choices?.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          disabled={disabled}
          onClick={() => onChange(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </div>
  ),
  Duration: PlainText,
  Secret,
  Code,
  Number: PlainNumber,
  Seconds: PlainNumber,
  Select: ({ label, value, options, onChange, error, disabled }) => (
    <label>
      {label}
      <select value={value} disabled={disabled} onChange={(event) => onChange(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {error}
    </label>
  ),
  Choice: ({ label, value, options, onChange, error, disabled }) => (
    <fieldset disabled={disabled}>
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          {option.label}
          <input
            type="radio"
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
          />
        </label>
      ))}
      {options.map(({ value: key, hint }) => (
        <p key={key}>{hint}</p>
      ))}
      {error}
    </fieldset>
  ),
  Checks: ({ label, hint, value, options, onChange, error, disabled }) => (
    <fieldset disabled={disabled}>
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          {option.label}
          <input
            type="checkbox"
            checked={value.includes(option.value)}
            onChange={() => onChange(withOrWithout(options, value, option.value))}
          />
        </label>
      ))}
      {hint}
      {error}
    </fieldset>
  ),
  List,
  Countries: List,
  Rows: ({ label, columns, value, onChange, errors, error, disabled }) => (
    <fieldset>
      <legend>{label}</legend>
      {value.flatMap((row, index) =>
        columns.map((column) => (
          <label key={`${index}.${column.name}`}>
            {`${column.label} ${index + 1}`}
            <input
              value={row[column.name] ?? ''}
              disabled={disabled}
              onChange={(event) =>
                onChange(value.map((one, at) => (at === index ? { ...one, [column.name]: event.target.value } : one)))
              }
            />
            {errors?.[`${index}.${column.name}`]}
          </label>
        )),
      )}
      {error}
    </fieldset>
  ),
  Suggestions: PlainSuggestions,
  Items: ({ label, addLabel, items, disabled, error, max, undo, onAdd, onMove, onCopy, onRemove }) => (
    <ol aria-label={label}>
      {items.map(({ key, title, summary, badge, note, errorCount, content }, index) => (
        <li key={key} aria-label={title}>
          {`${summary} · ${badge?.label ?? ''} · ${errorCount}`}
          {note && <output aria-busy={note.isStale}>{note.text}</output>}
          <button type="button" disabled={disabled || index === 0} onClick={() => onMove(index, index - 1)}>
            {`up ${title}`}
          </button>
          <button type="button" disabled={disabled} onClick={() => onCopy(index)}>{`copy ${title}`}</button>
          <button type="button" disabled={disabled} onClick={() => onRemove(index)}>{`remove ${title}`}</button>
          {content}
        </li>
      ))}
      <button type="button" disabled={disabled || items.length >= max} onClick={onAdd}>
        {addLabel}
      </button>
      {undo && (
        <button type="button" onClick={undo.onUndo}>
          {`${undo.label}: ${undo.text}`}
        </button>
      )}
      {error}
    </ol>
  ),
  Group: ({ label, head, actions, error, undo, children }) => (
    <fieldset>
      <legend>{label}</legend>
      {head}
      {children}
      {error}
      {undo && (
        <button type="button" onClick={undo.onUndo}>
          {`${undo.label}: ${undo.text}`}
        </button>
      )}
      {actions.map((action) => (
        <button key={action.label} type="button" disabled={action.disabled} onClick={action.onPress}>
          {action.label}
        </button>
      ))}
    </fieldset>
  ),
  Line: ({ label, what, how, children, actions, error }) => (
    <fieldset>
      <legend>{label}</legend>
      {what}
      {how}
      {children}
      {actions.map((action) => (
        <button
          key={action.label}
          type="button"
          aria-pressed={action.isPressed}
          disabled={action.disabled}
          onClick={action.onPress}
        >
          {action.label}
        </button>
      ))}
      {error && <p role="alert">{error}</p>}
    </fieldset>
  ),
  Section: ({ label, hint, children }) => (
    <section>
      <h3>{label}</h3>
      {hint && <p>{hint}</p>}
      {children}
    </section>
  ),
  Row: ({ label, hint, children }) => (
    <fieldset>
      <legend>{label}</legend>
      {children}
      {hint}
    </fieldset>
  ),
  Note: ({ text }) => <p>{text}</p>,
};
