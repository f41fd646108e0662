/** Labelled inputs and switches with hints and errors; the browser's own validation messages are not used. */
import {
  InputBase,
  Switch as MantineSwitch,
  Textarea,
  type SwitchProps as MantineSwitchProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core'
import type { ReactNode, Ref } from 'react'
import classes from './field.module.css'
import switchClasses from './switch.module.css'

type FieldProps = Omit<
  TextInputProps,
  'label' | 'description' | 'error' | 'classNames' | 'className' | 'unstyled'
> & {
  label: string
  hint?: string | undefined
  error?: string | undefined
}

export function Field({ label, hint, error, ...input }: FieldProps) {
  return (
    <TextInput
      {...input}
      unstyled
      withAsterisk={false}
      classNames={{
        root: classes.field,
        input: classes.input,
        error: classes.error,
        description: classes.hint,
      }}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      label={label}
      description={hint}
      error={error}
    />
  )
}

type TextAreaProps = {
  label: string
  hint: string
  rows: number
  placeholder: string
  error?: string | undefined
} & (
  | { value: string; name?: string; onChange: (value: string) => void }
  /** Kept by its form. */
  | { name: string; value?: never; onChange?: never }
)

/** Several lines of pasted text. */
export function TextArea({ hint, onChange, ...area }: TextAreaProps) {
  return (
    <Textarea
      {...area}
      unstyled
      spellCheck={false}
      classNames={{
        root: classes.field,
        input: `${classes.input} ${classes.lines}`,
        error: classes.error,
      }}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
      description={<span className={classes.hint}>{hint}</span>}
      onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
    />
  )
}

type SelectProps<T extends string> = {
  label: string
  /** The label is for people who cannot see what the options are about. */
  isLabelHidden?: boolean
  className?: string | undefined
  name?: string
  value?: T
  defaultValue?: T
  options: readonly { value: T; label: string }[]
  ref?: Ref<HTMLSelectElement>
  onChange?: (value: T) => void
}

/** One of a few options, as a native select. */
export function Select<T extends string>({ className, options, ...props }: SelectProps<T>) {
  const { onChange, label, isLabelHidden = false, ...select } = props
  return (
    <InputBase
      {...select}
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      unstyled
      component="select"
      classNames={{ root: className, input: classes.input }}
      onChange={({ currentTarget }) => {
        const chosen = options[currentTarget.selectedIndex]
        if (chosen) onChange?.(chosen.value)
      }}
    >
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </InputBase>
  )
}

type SwitchProps = Pick<
  MantineSwitchProps,
  'name' | 'checked' | 'defaultChecked' | 'disabled' | 'onChange'
> & { label: string }

/** On or off, with the state in words next to it. */
export function Switch(props: SwitchProps) {
  return (
    <MantineSwitch
      {...props}
      unstyled
      classNames={{
        body: switchClasses.switch,
        input: switchClasses.input,
        track: switchClasses.track,
      }}
    />
  )
}

type CheckboxProps = {
  name?: string
  isChecked?: boolean
  defaultChecked?: boolean
  isDisabled?: boolean | undefined
  onChange?: (isChecked: boolean) => void
  /** The label. */
  children: ReactNode
}

export function Checkbox({ isChecked, isDisabled, onChange, children, ...input }: CheckboxProps) {
  return (
    <label className={classes.check}>
      <input
        {...input}
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        onChange={({ currentTarget }) => onChange?.(currentTarget.checked)}
      />
      {children}
    </label>
  )
}

/** Moves the focus to the first field marked as invalid, after the marks have been rendered. */
export function focusFirstError(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
}
