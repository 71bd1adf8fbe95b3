exports.cards = [{ id: 'AB1-007', no: 'AB1-007', name: 'Module', image: 'CANARY' }]
