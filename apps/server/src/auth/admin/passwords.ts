/** Administrator passwords, hashed with a memory-hard function: 19 MiB and about 20 ms per guess. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)

const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const TAG_BYTES = 32

/** `argon2id$memory$passes$parallelism$salt$tag`, so that the cost can increase without invalidating old hashes. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const tag = await derive('argon2id', {
    message: password.normalize('NFKC'),
    nonce: salt,
    tagLength: TAG_BYTES,
    ...cost,
  })
  const numbers = [cost.memory, cost.passes, cost.parallelism].join('$')
  return `argon2id$${numbers}$${salt.toString('base64')}$${tag.toString('base64')}`
}

export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', stored = ''] = hash.split('$')
  const expected = Buffer.from(stored, 'base64')
  const tag = await derive('argon2id', {
    message: password.normalize('NFKC'),
    nonce: Buffer.from(salt, 'base64'),
    tagLength: expected.length,
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  })
  return timingSafeEqual(tag, expected)
}
