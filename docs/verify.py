"""Checks all draws of a service from outside: python3 verify.py http://127.0.0.1:8080 (Python 3.8 or later, and nothing else)."""
import base64, hashlib, hmac, itertools, json, sys, urllib.request
P, L, D = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493, -121665 * pow(121666, -1, 2**255 - 19)  # Ed25519 (RFC 8032)
sha = lambda data: hashlib.sha256(data).digest()
canonical = lambda value: json.dumps(value, sort_keys=True, separators=(',', ':'), ensure_ascii=False).encode()  # RFC 8785, of ASCII names and whole numbers
def get(path, **values):
    answer = json.load(urllib.request.urlopen(sys.argv[1].rstrip('/') + path.format(**values)))
    return answer.get('data', answer)
def add(p, q):
    k = D * p[0] * q[0] * p[1] * q[1]
    return (p[0] * q[1] + q[0] * p[1]) * pow(1 + k, -1, P) % P, (p[1] * q[1] + p[0] * q[0]) * pow(1 - k, -1, P) % P
def times(n, p): return add(times(n // 2, add(p, p)), p if n % 2 else (0, 1)) if n else (0, 1)
def point(data):
    sign, y = divmod(int.from_bytes(data, 'little'), 2**255); xx = (y * y - 1) * pow(D * y * y + 1, -1, P) % P; x = pow(xx, (P + 3) // 8, P)
    x = x if x * x % P == xx else x * pow(2, (P - 1) // 4, P) % P
    return (x if x % 2 == sign else P - x), y
def is_signed(x, key_id, signature, message):
    h, s = (int.from_bytes(data, 'little') for data in (hashlib.sha512(signature[:32] + raw(x) + message).digest(), signature[32:]))
    return sha(canonical({'crv': 'Ed25519', 'kty': 'OKP', 'x': x})) == raw(key_id) and s < L and times(s, point(unhex('58' + '66' * 31))) == add(point(signature[:32]), times(h % L, point(raw(x))))
def root(edge): return edge[0][1] if len(edge) == 1 else sha(b'\1' + edge[0][1] + root(edge[1:]))  # RFC 6962, of whole subtrees
def grow(edge, node): return grow(edge[:-1], (2 * node[0], sha(b'\1' + edge[-1][1] + node[1]))) if edge and edge[-1][0] == node[0] else edge + [node]
def climb(leaf, at, last, path):  # RFC 9162, 2.1.3.2
    for beside in map(unhex, path):
        leaf = sha(b'\1' + (beside + leaf if at % 2 or at == last else leaf + beside))
        while at == last and at and not at % 2: at, last = at // 2, last // 2
        at, last = at // 2, last // 2
    return leaf
def draw(rates, r):
    message, key = f"{r['client_seed']}:{r['nonce']}:", unhex(r['server_seed'])
    numbers = (int.from_bytes(hmac.digest(key, f'{message}{n // 8}'.encode(), 'sha256')[n % 8 * 4:][:4], 'big') for n in itertools.count())
    def choose(choices):
        sums = list(itertools.accumulate(choice['weight'] for choice in choices)); hold(0 < sums[-1] <= 2**32, 'a table of rates')
        n = next(x for x in numbers if x < 2**32 - 2**32 % sums[-1]) % sums[-1]
        return next(choice for choice, end in zip(choices, sums) if n < end)
    pack = choose(rates['packs'])
    return {'pack': pack['name'], 'rarities': [choose(place['rarities'])['rarity'] for place in pack['places']]}
def raw(text): data = base64.urlsafe_b64decode(text + '=='); hold(base64.urlsafe_b64encode(data).rstrip(b'=').decode() == text, f'base64url without padding: {text}'); return data
def unhex(text): data = bytes.fromhex(text); hold(data.hex() == text, f'hexadecimal digits in lower case: {text}'); return data
def hold(holds, what): holds or sys.exit(f'It does not hold: {what}.')
sys.excepthook = lambda kind, error, trace: print(f'It cannot be checked: {error!r}', file=sys.stderr)
start = get('/.well-known/pantry-proofs.json'); to, keys, tables, trees, said, heads, signers, named, nonces, batch = start['_links'], {key['kid']: key['x'] for key in start['keys']}, {}, {}, {}, set(), [], [], set(), 0
health = get(to['health']); tips, idle = [health['tip']], 0  # read first: all that it counts is in the chain that is read after it
while page := get(f"{to['chain']}?from_id={batch + 1}"):
    said = {**{epoch['epoch']: epoch for epoch in page['epochs']}, **said}
    for signed in page['batches']:
        head = signed['head']; batch, epoch, key = head['batch'], head['epoch'], head['key_id']; heads.add(canonical(head)); signers += [key] if signers[-1:] != [key] else []
        hold(head['previous'] == sha(canonical(said[epoch])).hex() and is_signed(keys[key], key, raw(signed['signature']), canonical(head)) and signers.index(key) == len(signers) - 1, f'the signed head of batch {batch}')
        leaves = get(to['digest'], id=batch)['leaves']; said[epoch] = head
        for receipt in (leaf['receipt'] for leaf in leaves):
            digest = receipt['rates_digest']; rates = tables.setdefault(digest, tables.get(digest) or get(to['rates'], digest=digest)); hold(receipt['nonce'] not in nonces, f"the number of receipt {receipt['id']}"); nonces.add(receipt['nonce'])
            hold(sha(canonical(rates)).hex() == digest and sha(unhex(receipt['server_seed'])).hex() == receipt['commitment'] and draw(rates, receipt) == receipt['result'], f"receipt {receipt['id']}")
            trees[epoch] = grow(trees.get(epoch, []), (1, sha(b'\0' + canonical(receipt))))
        hold(root(trees[epoch]).hex() == head['root'] and sum(size for size, _ in trees[epoch]) == head['tree_size'], f'the root of batch {batch}')
        for receipt in (leaf['receipt'] for leaf in leaves):
            proof = get(to['receipt'], id=receipt['id']); newest = proof['signed']['head']; named.append(canonical(newest))
            hold(climb(sha(b'\0' + canonical(receipt)), proof['leaf_index'], newest['tree_size'] - 1, proof['inclusion']).hex() == newest['root'], f"the proof of receipt {receipt['id']}")
    tips.append(page['tip']); idle += not page['batches']
    if not page['batches'] and (page['tip'] is None or canonical(page['tip']['head']) in heads or idle > 5): break  # else a batch was made meanwhile
draws, counts = health['self_audit']['draws'], health['counts']; gone = draws['begun'] - draws['in_chain'] - draws['waiting'] - draws['unopened'] - draws['expired']
hold(heads.issuperset(named), 'a proof, whose head is not in the chain'); hold(heads.issuperset(canonical(tip['head']) for tip in tips if tip), 'a tip, which is not in the chain')
hold(draws['in_chain'] <= len(nonces) and counts['receipts'] <= len(nonces) and counts['batches'] <= len(heads), f"the count of receipts: {draws['in_chain']} are said to be in the chain, and {len(nonces)} are there"); hold(gone == 0, f'the count of draws: {gone} are not there'); hold(page['halted'] is None, page['halted'])
print(f'{len(nonces)} receipts in {len(heads)} batches: all draws, roots, signatures and proofs hold.')
