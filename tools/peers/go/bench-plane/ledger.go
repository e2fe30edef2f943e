package main

import (
	"context"
	"maps"
	"sync"
	"time"

	discovery "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	"github.com/envoyproxy/go-control-plane/pkg/resource/v3"
	"github.com/envoyproxy/go-control-plane/pkg/server/v3"
)

// What a client has asked for and acknowledged. There is one at a time: a new stream starts a new page.
type ledger struct {
	mu     sync.Mutex
	wanted map[resource.Type]int
	stream int64
	now    state
	types  map[resource.Type]*exchange
	sent   map[string]float64
}

// One type on the stream.
type exchange struct {
	// Of the last response.
	nonce string
	// The last request acknowledged that response, and asked for all there is.
	isDone bool
	acked  chan struct{}
}

type state struct {
	Requests  int `json:"requests"`
	Responses int `json:"responses"`
	Refusals  int `json:"refusals"`
	// All resources are acknowledged, as far as has been sent.
	IsDone bool `json:"isDone"`
	// When the last request came that made it so, in milliseconds of Unix time.
	DoneAt float64 `json:"doneAt"`
}

func newLedger(count int) *ledger {
	wanted := map[resource.Type]int{
		resource.ListenerType: 1, resource.RouteType: 1, resource.ClusterType: count, resource.EndpointType: count,
	}
	l := &ledger{wanted: wanted}
	l.begin(0)
	return l
}

func (l *ledger) begin(stream int64) {
	l.stream = stream
	l.now = state{}
	l.sent = map[string]float64{}
	l.types = map[resource.Type]*exchange{}
	for url := range l.wanted {
		l.types[url] = &exchange{acked: make(chan struct{})}
	}
}

func (l *ledger) callbacks() server.Callbacks {
	return server.CallbackFuncs{
		StreamOpenFunc: func(_ context.Context, stream int64, _ string) error {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.begin(stream)
			return nil
		},
		StreamRequestFunc: func(stream int64, request *discovery.DiscoveryRequest) error {
			l.mu.Lock()
			defer l.mu.Unlock()
			if stream == l.stream {
				l.received(request)
			}
			return nil
		},
		StreamResponseFunc: func(_ context.Context, stream int64, _ *discovery.DiscoveryRequest, response *discovery.DiscoveryResponse) {
			l.mu.Lock()
			defer l.mu.Unlock()
			if stream == l.stream {
				l.writing(response)
			}
		},
	}
}

func (l *ledger) received(request *discovery.DiscoveryRequest) {
	l.now.Requests++
	if request.GetErrorDetail() != nil {
		l.now.Refusals++
		return
	}
	one := l.types[request.GetTypeUrl()]
	if one == nil || one.nonce == "" || request.GetResponseNonce() != one.nonce {
		return
	}
	one.isDone = len(request.GetResourceNames()) == l.wanted[request.GetTypeUrl()]
	if !one.isDone {
		return
	}
	close(one.acked)
	one.acked = make(chan struct{})
	l.now.DoneAt = milliseconds(time.Now())
}

func (l *ledger) writing(response *discovery.DiscoveryResponse) {
	l.now.Responses++
	l.sent[response.GetVersionInfo()] = milliseconds(time.Now())
	if one := l.types[response.GetTypeUrl()]; one != nil {
		one.nonce = response.GetNonce()
		one.isDone = false
	}
}

func (l *ledger) state() *state {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now
	now.IsDone = true
	for _, one := range l.types {
		now.IsDone = now.IsDone && one.isDone
	}
	return &now
}

// Closed when the client has acknowledged the next response of this type.
func (l *ledger) nextAck(url resource.Type) <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.types[url].acked
}

func (l *ledger) forgetWrites() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent = map[string]float64{}
}

func (l *ledger) writes(areWanted bool) map[string]float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !areWanted {
		return nil
	}
	return maps.Clone(l.sent)
}

func milliseconds(at time.Time) float64 {
	return float64(at.UnixNano()) / 1e6
}
