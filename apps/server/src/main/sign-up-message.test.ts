import { expect, test } from 'vitest'
import { describeSignUp } from './run-process.ts'

test.each([
  [true, [], 'Anyone with a Google account may sign up (SIGN_UP=open).'],
  [false, [], 'Only people invited by an administrator may sign up (SIGN_UP=invited).'],
  [
    true,
    ['uni.example'],
    'Anyone with a Google account of uni.example may sign up (SIGN_UP_DOMAINS); others by invitation.',
  ],
])(
  'SPEC 25.4: the start prints who can sign up: open %s, domains %j',
  (isOpen, domains, sentence) => {
    expect(describeSignUp({ isOpen, domains })).toBe(sentence)
  },
)
