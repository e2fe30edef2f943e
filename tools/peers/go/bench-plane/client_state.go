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

// The requests and ACKs of the current client. There is one client at a time: a new stream resets the state.
type clientState struct {
	mu     sync.Mutex
	wanted map[resource.Type]int
	stream int64
	now    state
	types  map[resource.Type]*exchange
	sent   map[string]float64
}

// The last response and its ACK of one resource type.
type exchange struct {
	// The nonce of the last response.
	nonce string
	// The last request acknowledged that response and named every resource.
	isDone bool
	acked  chan struct{}
}

type state struct {
	Requests  int `json:"requests"`
	Responses int `json:"responses"`
	Nacks     int `json:"nacks"`
	// The client has requested every resource and acknowledged every response.
	IsDone bool `json:"isDone"`
	// When the last of those requests arrived, in milliseconds of Unix time.
	DoneAt float64 `json:"doneAt"`
}

func newClientState(count int) *clientState {
	wanted := map[resource.Type]int{
		resource.ListenerType: 1, resource.RouteType: 1, resource.ClusterType: count, resource.EndpointType: count,
	}
	c := &clientState{wanted: wanted}
	c.begin(0)
	return c
}

func (c *clientState) begin(stream int64) {
	c.stream = stream
	c.now = state{}
	c.sent = map[string]float64{}
	c.types = map[resource.Type]*exchange{}
	for url := range c.wanted {
		c.types[url] = &exchange{acked: make(chan struct{})}
	}
}

func (c *clientState) callbacks() server.Callbacks {
	return server.CallbackFuncs{
		StreamOpenFunc: func(_ context.Context, stream int64, _ string) error {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.begin(stream)
			return nil
		},
		StreamRequestFunc: func(stream int64, request *discovery.DiscoveryRequest) error {
			c.mu.Lock()
			defer c.mu.Unlock()
			if stream == c.stream {
				c.received(request)
			}
			return nil
		},
		StreamResponseFunc: func(_ context.Context, stream int64, _ *discovery.DiscoveryRequest, response *discovery.DiscoveryResponse) {
			c.mu.Lock()
			defer c.mu.Unlock()
			if stream == c.stream {
				c.writing(response)
			}
		},
	}
}

func (c *clientState) received(request *discovery.DiscoveryRequest) {
	c.now.Requests++
	if request.GetErrorDetail() != nil {
		c.now.Nacks++
		return
	}
	one := c.types[request.GetTypeUrl()]
	if one == nil || one.nonce == "" || request.GetResponseNonce() != one.nonce {
		return
	}
	one.isDone = len(request.GetResourceNames()) == c.wanted[request.GetTypeUrl()]
	if !one.isDone {
		return
	}
	close(one.acked)
	one.acked = make(chan struct{})
	c.now.DoneAt = milliseconds(time.Now())
}

func (c *clientState) writing(response *discovery.DiscoveryResponse) {
	c.now.Responses++
	c.sent[response.GetVersionInfo()] = milliseconds(time.Now())
	if one := c.types[response.GetTypeUrl()]; one != nil {
		one.nonce = response.GetNonce()
		one.isDone = false
	}
}

func (c *clientState) state() *state {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now
	now.IsDone = true
	for _, one := range c.types {
		now.IsDone = now.IsDone && one.isDone
	}
	return &now
}

// Returns a channel that is closed when the client acknowledges the next response of this type.
func (c *clientState) nextAck(url resource.Type) <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.types[url].acked
}

func (c *clientState) forgetWrites() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent = map[string]float64{}
}

func (c *clientState) writes(areWanted bool) map[string]float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !areWanted {
		return nil
	}
	return maps.Clone(c.sent)
}

func milliseconds(at time.Time) float64 {
	return float64(at.UnixNano()) / 1e6
}
